// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// entries are written as "controller type reason action: note"; the controller may be missing.
func entries(lines ...string) (all []*Entry) {
	for _, line := range lines {
		head, note, _ := strings.Cut(line, ": ")
		words := strings.Fields(head)
		if len(words) == 3 {
			words = append([]string{""}, words...)
		}
		all = append(all, &Entry{Controller: words[0], Type: words[1], Reason: words[2], Action: words[3], Notes: []string{note}})
	}
	return all
}

// Caught: a controller that was written by hand is renamed to none; two parts that differ make one that is renamed; an
// entry is renamed although several might have been.
func TestUpdate(t *testing.T) {
	for _, test := range []struct {
		name          string
		before, after []*Entry
		want          []string
	}{
		{"the same", entries("c Normal Made Make: made"), entries("c Normal Made Make: other"), nil},
		{"a controller by hand", entries("c Normal Made Make: made"), entries("Normal Made Make: made"), nil},
		{
			"a type", entries("c Normal Made Make: made"), entries("c Warning Made Make: made"),
			[]string{"renamed: type Normal -> Warning (of reason Made, c)"},
		},
		{
			"a controller", entries("c Normal Made Make: made"), entries("d Normal Made Make: made"),
			[]string{"renamed: controller c -> d (of reason Made)"},
		},
		{
			"reason and action", entries("c Normal Made Make: made"), entries("c Normal Built Build: made"),
			[]string{"gone: Normal reason Made, action Make (c)", "new: Normal reason Built, action Build (c)"},
		},
		{
			"with another note", entries("c Normal Made Make: made"), entries("c Normal Built Make: built"),
			[]string{"renamed: reason Made -> Built (c)"},
		},
		{
			"one of two with another note", entries("c Normal A Make: a", "c Normal B Make: b"), entries("c Normal C Make: c"),
			[]string{"gone: Normal reason A, action Make (c)", "gone: Normal reason B, action Make (c)", "new: Normal reason C, action Make (c)"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, difference := range Update(test.before, test.after) {
				got = append(got, difference.String())
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("Update (-want +got):\n%s", diff)
			}
		})
	}
}
