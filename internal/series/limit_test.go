// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Which occurrences are of the same object, and which are counted in the same overflow series.
func TestLimitIsOfAnObject(t *testing.T) {
	for name, row := range map[string]struct {
		change   func(*Occurrence)
		folded   bool
		overflow int // series
	}{
		"group":           {func(o *Occurrence) { o.Regarding.Group = "apps" }, false, 1},
		"kind":            {func(o *Occurrence) { o.Regarding.Kind = "Node" }, false, 1},
		"namespace":       {func(o *Occurrence) { o.Regarding.Namespace = "shop" }, false, 1},
		"name":            {func(o *Occurrence) { o.Regarding.Name = "db" }, false, 1},
		"UID":             {func(o *Occurrence) { o.Regarding.UID = "another" }, false, 1},
		"version":         {func(o *Occurrence) { o.Regarding.Version = "v1beta1" }, true, 1},
		"resourceVersion": {func(o *Occurrence) { o.Regarding.ResourceVersion = "8" }, true, 1},
		"field path":      {func(o *Occurrence) { o.Regarding.FieldPath = "spec.containers{main}" }, true, 1},
		"type":            {func(o *Occurrence) { o.Type = warning }, true, 2},
		"controller":      {func(o *Occurrence) { o.ReportingController = "example.com/other" }, true, 2},
		"related":         {func(o *Occurrence) { o.Related, o.HasRelated = Reference{Kind: "Pod", Name: "db"}, true }, false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCache(intervals, 10)
			c.LimitObjects(1)
			var r result
			for _, reason := range []string{"a", "b", "c"} { // the second makes an overflow series
				o := Occurrence{Key: keyOf("web", normal), At: at(0)}
				if o.Reason = reason; reason == "c" {
					row.change(&o)
				}
				r = record(c, o.Key, o)
			}
			_, _, size := snapshotOf(c)
			if overflow := size - map[bool]int{true: 1, false: 2}[r.Folded]; r.Folded != row.folded || overflow != row.overflow {
				t.Errorf("folded: %v, in %d overflow series, want %v, %d", r.Folded, overflow, row.folded, row.overflow)
			}
			if reason := r.Series.First().Reason; (reason == OverflowReason) != r.Folded {
				t.Errorf("folded: %v, and it is counted as %s", r.Folded, reason)
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
