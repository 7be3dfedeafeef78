// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// limited returns a cache in which an object may have n series at a time.
func limited(n int) *Cache {
	c := newCache(intervals, 1<<16)
	c.LimitObjects(n)
	return c
}

// because makes an occurrence about the object web that differs from others by its reason.
func because(reason string, now time.Time) Occurrence {
	o := Occurrence{Key: keyOf("web", normal), At: now}
	o.Reason = reason
	return o
}

// fold records an occurrence and returns the reason under which it is counted.
func fold(t *testing.T, c *Cache, o Occurrence) string {
	t.Helper()
	r := record(c, o.Key, o)
	if r.Series == nil {
		t.Fatalf("%+v: %+v", o.Key, r)
	}
	reason := r.Series.First().Reason
	if r.Folded != (reason == OverflowReason) {
		t.Errorf("folded: %v, and it is counted as %s", r.Folded, reason)
	}
	return reason
}

func TestObjectLimit(t *testing.T) {
	const over = OverflowReason
	finish := intervals.Finish
	type step struct {
		at           time.Duration
		reason, want string
	}
	for name, steps := range map[string][]step{
		"at once":          {{0, "a", "a"}, {0, "b", "b"}, {0, "c", over}, {0, "d", over}},
		"repeats are free": {{0, "a", "a"}, {0, "b", "b"}, {0, "a", "a"}, {0, "b", "b"}, {0, "c", over}, {0, "a", "a"}},
		"who left leaves a place": {
			{0, "a", "a"}, {time.Minute, "b", "b"}, {finish, "c", "c"}, {finish, "d", over}, {finish, "b", "b"},
		},
		"while the others are counted": {
			{0, "a", "a"}, {0, "b", "b"}, {time.Minute, "c", over}, {finish, "d", over}, {finish, "a", over},
			{2*finish - 1, "e", over}, {3 * finish, "f", "f"}, {3 * finish, "g", "g"}, {3 * finish, "h", over},
		},
		"who stayed is counted": {
			{0, "a", "a"}, {0, "b", "b"}, {0, "c", over}, {time.Minute, "a", "a"}, {finish, "d", "d"}, {finish, "e", over},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := limited(2)
			var got, want []string
			for _, s := range steps {
				writeAll(t, c, at(s.at))
				got, want = append(got, fold(t, c, because(s.reason, at(s.at)))), append(want, s.want)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("counted as (-want +got):\n%s", diff)
			}
		})
	}
}

// writeAll writes what is unwritten, and forgets what is finished at now.
func writeAll(t *testing.T, c *Cache, now time.Time) {
	t.Helper()
	for _, sh := range c.shards {
		for _, s := range slices.Clone(sh.timers.Items) {
			if s.unwritten() > 0 {
				stored(t, s, now)
			}
		}
	}
	expire(c, now)
}

// What has a related object is neither counted nor limited.
func TestObjectLimitIsNotOfRelated(t *testing.T) {
	c := limited(1)
	for i := range 3 {
		o := because("Created", at(0))
		o.Related, o.HasRelated = Reference{Kind: "Pod", Name: fmt.Sprint("pod-", i)}, true
		if got := fold(t, c, o); got != "Created" {
			t.Errorf("%d is counted as %s", i, got)
		}
	}
	if got := fold(t, c, because("a", at(0))); got != "a" {
		t.Errorf("the first one without is counted as %s", got)
	}
}

// Each type and each reporter has an overflow series of its own, and each object a limit of its own.
func TestOverflowSeriesAreApart(t *testing.T) {
	c := limited(1)
	warn, other, pod := because("c", at(0)), because("d", at(0)), because("e", at(0))
	warn.Type, other.ReportingController, pod.Regarding.Name = warning, "example.com/other", "db"
	var got []string
	for _, o := range []Occurrence{because("a", at(0)), because("b", at(0)), warn, other, pod} {
		got = append(got, fold(t, c, o))
	}
	if diff := cmp.Diff([]string{"a", OverflowReason, OverflowReason, OverflowReason, "e"}, got); diff != "" {
		t.Errorf("counted as (-want +got):\n%s", diff)
	}
	checkCounts(t, c, counts{observed: 5, pending: 5, size: 5})
}

// An object is what its identity says. Its versions and its parts are no other object.
func TestLimitIsOfAnObject(t *testing.T) {
	for name, row := range map[string]struct {
		change func(*Reference)
		other  bool
	}{
		"group":           {func(r *Reference) { r.Group = "apps" }, true},
		"kind":            {func(r *Reference) { r.Kind = "Node" }, true},
		"namespace":       {func(r *Reference) { r.Namespace = "shop" }, true},
		"name":            {func(r *Reference) { r.Name = "db" }, true},
		"UID":             {func(r *Reference) { r.UID = "another" }, true},
		"version":         {func(r *Reference) { r.Version = "v1beta1" }, false},
		"resourceVersion": {func(r *Reference) { r.ResourceVersion = "8" }, false},
		"field path":      {func(r *Reference) { r.FieldPath = "spec.containers{main}" }, false},
	} {
		t.Run(name, func(t *testing.T) {
			c := limited(1)
			fold(t, c, because("a", at(0)))
			o := because("b", at(0))
			row.change(&o.Regarding)
			if other := fold(t, c, o) != OverflowReason; other != row.other {
				t.Errorf("another object: %v, want %v", other, row.other)
			}
		})
	}
}

// behind is a series with times the count that is stored.
func behind(eventType string, times int64) *Series {
	s := NewSingle(&Occurrence{Key: keyOf("web", eventType), At: epoch})
	s.observed, s.recorded, s.exists = 10*times, 10, true
	return s
}

// The emptier the bucket, the further behind a series must be, and a Warning less.
func TestPublishLimitIsForThoseFurthestBehind(t *testing.T) {
	c := newCache(intervals, 4)
	c.LimitPublishing(16, time.Minute)
	var got []string
	for _, times := range []int64{2, 3, 4, 7, 8, 1000} {
		for _, eventType := range []string{normal, warning} {
			n := 0
			for c.mayPublish(behind(eventType, times), after(0)) {
				n++
			}
			got = append(got, fmt.Sprint(eventType, " ", times, "x: ", n))
		}
	}
	want := []string{
		"Normal 2x: 8", "Warning 2x: 4", "Normal 3x: 0", "Warning 3x: 0", "Normal 4x: 0", "Warning 4x: 2",
		"Normal 7x: 0", "Warning 7x: 0", "Normal 8x: 0", "Warning 8x: 1", "Normal 1000x: 1", "Warning 1000x: 0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
