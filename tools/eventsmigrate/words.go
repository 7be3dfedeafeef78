// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
)

// mostNamed bounds how many names one sentence has. Charts of other software have hundreds of roles.
const mostNamed = 5

// joinSome joins the first names, and says how many more there are.
func joinSome(names []string) string {
	if more := len(names) - mostNamed; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostNamed], ", "), more)
	}
	return join(names, "and")
}

// join joins words.
func join(words []string, conjunction string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " " + conjunction + " " + words[last]
}

// counted returns n with a noun, which is in the plural unless n is 1.
func counted(n int, noun string) string { return fmt.Sprintf("%d %s", n, agreed(n, noun, noun+"s")) }

// agreed returns the word for one if n is 1, and the word for many otherwise.
func agreed(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
