// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/internal/stats"
)

// say records one occurrence under NotesDistinct(n) and returns the note under
// which it is kept.
func say(t *testing.T, c *Cache, n int, note string, now time.Time) (result, string) {
	t.Helper()
	r, _ := record(c, keyOf("web", normal), Occurrence{At: now, Note: note, DistinctNotes: n})
	if r.Series == nil {
		t.Fatalf("%q: %+v", note, r)
	}
	return r, r.Series.First().Note
}

func sayAll(t *testing.T, c *Cache, n int, notes ...string) (kept []string) {
	t.Helper()
	for _, note := range notes {
		_, k := say(t, c, n, note, at(0))
		kept = append(kept, k)
	}
	return kept
}

func TestNoteGroup(t *testing.T) {
	for _, row := range []struct {
		name  string
		n     int
		notes []string
		want  []string
	}{
		{"room for all", 3, []string{"a", "b", "c", "a"}, []string{"a", "b", "c", "a"}},
		{"further ones fold into the last", 2, []string{"a", "b", "c", "d"}, []string{"a", "b", "b", "b"}},
		{"known notes keep their own", 2, []string{"a", "b", "c", "a", "b"}, []string{"a", "b", "b", "a", "b"}},
		{"only one", 1, []string{"a", "b", "a"}, []string{"a", "a", "a"}},
		{"no note is a note", 2, []string{"", "a", "b", ""}, []string{"", "a", "a", ""}},
		{"no note comes last", 2, []string{"a", "", "b"}, []string{"a", "", ""}},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := newCache(intervals, 16)
			if diff := cmp.Diff(row.want, sayAll(t, c, row.n, row.notes...)); diff != "" {
				t.Errorf("kept under (-want +got):\n%s", diff)
			}
			if _, _, size := snapshotOf(c); size > row.n {
				t.Errorf("%d series, want at most %d", size, row.n)
			}
		})
	}
}

func TestNoteGroupIsOfOneKey(t *testing.T) {
	c := newCache(intervals, 16)
	sayAll(t, c, 1, "a")
	k := keyOf("web", normal)
	k.Reason = "Other"
	r, _ := record(c, k, Occurrence{At: at(0), Note: "b", DistinctNotes: 1})
	if o := r.Series.First(); o.Reason != "Other" || o.Note != "b" {
		t.Errorf("kept under %+v", o)
	}
}

// A note that has left makes room for another one.
func TestNoteGroupForgetsWhoLeft(t *testing.T) {
	c := newCache(intervals, 16)
	for i, note := range []string{"a", "b"} {
		r, _ := say(t, c, 2, note, at(time.Duration(i)*time.Minute))
		stored(t, c, r.Series, at(0))
	}
	expire(c, at(6*time.Minute)) // a is over
	if got := sayAt(t, c, 2, at(6*time.Minute), "c", "d", "b", "a"); !cmp.Equal(got, []string{"c", "c", "b", "c"}) {
		t.Errorf("kept under %v", got)
	}
	c.Abandon()
	for _, sh := range c.shards {
		if len(sh.groups) != 0 {
			t.Errorf("groups are left behind: %v", sh.groups)
		}
	}
}

func sayAt(t *testing.T, c *Cache, n int, now time.Time, notes ...string) (kept []string) {
	t.Helper()
	for _, note := range notes {
		_, k := say(t, c, n, note, now)
		kept = append(kept, k)
	}
	return kept
}

// The series that took in all further notes is over and the timer has not come
// by: its place is taken, not one more.
func TestNoteGroupReplacesItsFinishedLast(t *testing.T) {
	c := newCache(intervals, 16)
	r, _ := say(t, c, 1, "a", at(0))
	stored(t, c, r.Series, at(0))
	if got := sayAt(t, c, 1, at(6*time.Minute), "b", "a"); !cmp.Equal(got, []string{"b", "b"}) {
		t.Errorf("kept under %v", got)
	}
	checkCounts(t, c, counts{observed: 3, recorded: 1, pending: 2, size: 1})
}

// Recorders with different limits may share a group.
func TestNoteGroupWithTwoLimits(t *testing.T) {
	c := newCache(intervals, 16)
	sayAll(t, c, 10, "a", "b", "c")
	if got := sayAll(t, c, 2, "d", "a"); !cmp.Equal(got, []string{"c", "a"}) {
		t.Errorf("kept under %v", got)
	}
	if got := sayAll(t, c, 10, "d", "e"); !cmp.Equal(got, []string{"d", "e"}) {
		t.Errorf("kept under %v", got)
	}
}

// Under other policies a key without a note is in no group.
func TestNoteGroupIsForDistinctNotesOnly(t *testing.T) {
	c := newCache(intervals, 16)
	see(c, keyOf("web", normal), at(0))
	for _, sh := range c.shards {
		if len(sh.groups) != 0 {
			t.Errorf("%v", sh.groups)
		}
	}
	if got := sayAll(t, c, 1, "a", ""); !cmp.Equal(got, []string{"a", ""}) {
		t.Errorf("kept under %v", got)
	}
	checkCounts(t, c, counts{observed: 3, pending: 3, size: 2})
	c.Abandon()
	checkCounts(t, c, counts{observed: 3, dropped: map[stats.Reason]int64{stats.Abandoned: 3}})
}
