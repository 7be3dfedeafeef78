// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/scenario"
)

// printTable prints the two results side by side.
func printTable(out io.Writer, o options, b, a result) error {
	var text strings.Builder
	fmt.Fprintf(&text, "\nA node with %d pods, %v of %s time, %s\n\n", a.pods, o.duration, timeKind(o), found(o, a))
	w := tabwriter.NewWriter(&text, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "%s\t%s\t%s\t\n", pad(""), before.name, after.name)
	for _, row := range []struct {
		what string
		b, a int64
	}{
		{"occurrences", b.occurrences, a.occurrences},
		{"API writes", b.writes, a.writes},
		{"Event objects", b.stored.objects, a.stored.objects},
		{"  that name the node as related", b.stored.related, a.stored.related},
		{"sum of counts on the server", b.stored.counts, a.stored.counts},
		{"lost", b.lost(), a.lost()},
	} {
		fmt.Fprintf(w, "%s\t%d\t%d\t\n", pad(row.what), row.b, row.a)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, side := range []side{before, after} {
		fmt.Fprintf(&text, "\n%-8s%s", side.name+":", strings.ReplaceAll(side.end, "\n", "\n        "))
	}
	text.WriteString("\nlost:   occurrences that no count on the server includes\n")
	_, err := io.WriteString(out, text.String())
	return err
}

// pad makes the first column flush left in a table that is flush right.
func pad(what string) string { return fmt.Sprintf("%-32s", what) }

func timeKind(o options) string {
	if o.simulated() {
		return "simulated"
	}
	return "real"
}

// found says how changes were found.
func found(o options, r result) string {
	if o.pleg == plegGeneric {
		return "generic PLEG"
	}
	at := func(fraction float64) time.Duration {
		return time.Duration(fraction * float64(o.duration)).Round(time.Second)
	}
	return fmt.Sprintf("evented PLEG\n(stream cut from %v to %v: fell back %d×, returned %d×)",
		at(scenario.CutAt), at(scenario.RestoreAt), r.fallbacks, r.returns)
}
