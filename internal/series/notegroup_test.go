// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestNoteGroup(t *testing.T) {
	type said struct {
		at         time.Duration
		limit      int // 0: under another policy
		note, kept string
	}
	const m = time.Minute
	finish := intervals.Finish
	for name, steps := range map[string][]said{
		"room for all":                     {{0, 3, "a", "a"}, {0, 3, "b", "b"}, {0, 3, "c", "c"}, {0, 3, "a", "a"}},
		"further ones fold into the last":  {{0, 2, "a", "a"}, {0, 2, "b", "b"}, {0, 2, "c", "b"}, {0, 2, "a", "a"}, {0, 2, "d", "b"}},
		"only one":                         {{0, 1, "a", "a"}, {0, 1, "b", "a"}, {0, 1, "a", "a"}},
		"no note is a note":                {{0, 2, "", ""}, {0, 2, "a", "a"}, {0, 2, "b", "a"}, {0, 2, "", ""}},
		"who left makes room":              {{0, 2, "a", "a"}, {m, 2, "b", "b"}, {finish, 2, "c", "c"}, {finish, 2, "d", "c"}, {finish, 2, "b", "b"}},
		"the last one's place, if it left": {{0, 1, "a", "a"}, {finish, 1, "b", "b"}, {finish, 1, "a", "b"}},
		"two limits":                       {{0, 10, "a", "a"}, {0, 10, "b", "b"}, {0, 10, "c", "c"}, {0, 2, "d", "c"}, {0, 2, "a", "a"}, {0, 10, "d", "d"}},
		"other policies are not in it":     {{0, 0, "x", "x"}, {0, 1, "a", "a"}, {0, 1, "b", "a"}, {0, 0, "y", "x"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCache(intervals, 16)
			for i, s := range steps {
				expire(c, at(s.at))
				o := Occurrence{At: at(s.at), Note: s.note, DistinctNotes: s.limit}
				r := record(c, keyOf("web", normal), o)
				if kept := r.Series.First().Note; kept != s.kept {
					t.Errorf("step %d: %q is kept under %q, want %q", i, s.note, kept, s.kept)
				}
				if r.Enqueue != 0 {
					stored(t, r.Series, at(s.at))
				}
			}
			c.Abandon()
			checkEmpty(t, c)
		})
	}
}

func TestNoteGroupIsOfOneKey(t *testing.T) {
	c := newCache(intervals, 16)
	k := keyOf("web", normal)
	var kept []string
	for _, reason := range []string{"One", "Other", "One"} {
		k.Reason = reason
		r := record(c, k, Occurrence{At: at(0), Note: reason, DistinctNotes: 1})
		kept = append(kept, r.Series.First().Note)
	}
	if diff := cmp.Diff([]string{"One", "Other", "One"}, kept); diff != "" {
		t.Errorf("kept under (-want +got):\n%s", diff)
	}
}
