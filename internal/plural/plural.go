// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package plural

import (
	"fmt"
	"strings"
)

// Of returns n followed by noun, which becomes a plural unless n is 1.
func Of[N ~int | ~int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %s", n, Noun(noun))
}

// Noun returns the plural of a regular English noun or of the name of a Kubernetes kind, such as
// "Policies" for "Policy". The plural of "series" is "series".
func Noun(noun string) string {
	ends := func(suffixes ...string) bool {
		for _, suffix := range suffixes {
			if strings.HasSuffix(noun, suffix) {
				return true
			}
		}
		return false
	}
	switch {
	case ends("series"):
		return noun
	case ends("s", "x", "ch", "sh"):
		return noun + "es"
	case ends("y") && !ends("ay", "ey", "oy", "uy"):
		return strings.TrimSuffix(noun, "y") + "ies"
	}
	return noun + "s"
}
