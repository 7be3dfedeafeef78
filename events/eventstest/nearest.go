// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"fmt"
	"slices"
	"strings"
)

// shown is how many near misses are worth reading.
const shown = 3

// nearest lists the series that differ least from w, and in which fields.
func nearest(w Want, all []Series) string {
	if len(all) == 0 {
		return "there is no other"
	}
	type miss struct {
		series      Series
		differences []difference
	}
	var misses []miss
	for _, s := range all {
		misses = append(misses, miss{s, w.differences(s)})
	}
	slices.SortStableFunc(misses, func(a, b miss) int { return len(a.differences) - len(b.differences) })

	var text strings.Builder
	fmt.Fprintf(&text, "nearest of %d:", len(all))
	for _, m := range misses[:min(shown, len(misses))] {
		fmt.Fprintf(&text, "\n\t%v", m.series)
		for _, d := range m.differences {
			fmt.Fprintf(&text, "\n\t\t%s: got %s, want %s", d.field, d.got, d.want)
		}
	}
	return text.String()
}

func indent[T any](all []T) string {
	var list []string
	for _, one := range all {
		list = append(list, fmt.Sprintf("\t%v", one))
	}
	return strings.Join(list, "\n")
}
