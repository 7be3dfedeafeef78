// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package verify

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/analyze"
)

func TestApply(t *testing.T) {
	const before = "package a\n\nvar x = f(y)\n"
	for _, test := range []struct {
		name    string
		edits   []analyze.Edit
		want    string
		wantErr string
	}{
		{
			name:  "in any order",
			edits: []analyze.Edit{{Start: 21, End: 22, Text: "z"}, {Start: 15, End: 16, Text: "w"}},
			want:  "package a\n\nvar w = f(z)\n",
		},
		{
			// Caught: equal insertions are taken for one, and a parenthesis is missing.
			name: "insertions at one place, in the order they come",
			edits: []analyze.Edit{
				{Start: 21, End: 21, Text: "g("}, {Start: 21, End: 21, Text: "h("},
				{Start: 22, End: 22, Text: ")"}, {Start: 22, End: 22, Text: ")"},
			},
			want: "package a\n\nvar x = f(g(h(y)))\n",
		},
		{
			// Caught: a replacement that two findings bring overlaps itself.
			name:  "the same replacement twice",
			edits: []analyze.Edit{{Start: 15, End: 16, Text: "w"}, {Start: 15, End: 16, Text: "w"}},
			want:  "package a\n\nvar w = f(y)\n",
		},
		{
			// Caught: the second edit is made at a place that the first has removed.
			name:    "two that overlap",
			edits:   []analyze.Edit{{Start: 15, End: 22, Text: "w"}, {Start: 21, End: 22, Text: "z"}},
			wantErr: `two edits overlap, one would write "z"`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "a.go")
			if err := os.WriteFile(name, []byte(before), 0o644); err != nil {
				t.Fatal(err)
			}
			got, err := apply(name, test.edits)
			if test.wantErr != "" {
				if want := name + ":3:11: " + test.wantErr; err == nil || err.Error() != want {
					t.Errorf("apply = %v, want %q", err, want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, string(got.after)); diff != "" {
				t.Errorf("applied (-want +got):\n%s", diff)
			}
		})
	}
}

// Caught: a file that its author does not format is reformatted, and the diff shows lines that nobody has touched.
func TestFormattedOnlyIfItWas(t *testing.T) {
	edits := []analyze.Edit{{Start: 10, End: 10, Text: "\nvar   a int\n"}}
	for _, test := range []struct{ name, before, want string }{
		{"formatted", "package a\n\nvar b int\n", "package a\n\nvar a int\n\nvar b int\n"},
		{"not formatted", "package a\n\nvar  b int\n", "package a\n\nvar   a int\n\nvar  b int\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "a.go")
			if err := os.WriteFile(name, []byte(test.before), 0o644); err != nil {
				t.Fatal(err)
			}
			text, err := apply(name, edits)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, string(text.formatted())); diff != "" {
				t.Errorf("formatted (-want +got):\n%s", diff)
			}
		})
	}
}
