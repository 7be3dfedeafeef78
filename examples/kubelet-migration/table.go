// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"strings"
)

// printTable prints the two results side by side.
func printTable(out io.Writer, o options, b, a result) error {
	var text strings.Builder
	kind := "real"
	if o.simulated() {
		kind = "simulated"
	}
	fmt.Fprintf(&text, "\nA node: %v of %s time, a script of %d pods\n\n", a.ran, kind, a.pods)
	fmt.Fprintf(&text, "%-32s%10s%10s\n", "", before.name, after.name)
	for _, row := range []struct {
		what string
		b, a int64
	}{
		{"occurrences", b.occurrences, a.occurrences},
		{"API writes", b.writes, a.writes},
		{"Event objects", b.stored.objects, a.stored.objects},
		{"  with a related object", b.stored.related, a.stored.related},
		{"sum of counts on the server", b.stored.counts, a.stored.counts},
		{"lost", b.lost(), a.lost()},
	} {
		fmt.Fprintf(&text, "%-32s%10d%10d\n", row.what, row.b, row.a)
	}
	fmt.Fprintf(&text, "\n%-8s%s\n%-8s%s\n", before.name, before.how, after.name, after.how)
	fmt.Fprintf(&text, "%-8s%s\n", "lost", "occurrences minus the sum of counts on the server")
	_, err := io.WriteString(out, text.String())
	return err
}
