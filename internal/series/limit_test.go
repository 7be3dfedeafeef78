// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"testing"
)

// Which occurrences are of the same object, and which are counted in the same overflow series.
func TestLimitIsOfAnObject(t *testing.T) {
	for name, row := range map[string]struct {
		change     func(*Occurrence)
		overflowed bool
		overflow   int  // series, and others but the first
		first      bool // it is the first one that is changed, not the last
	}{
		"group":           {func(o *Occurrence) { o.Regarding.Group = "apps" }, false, 1, false},
		"kind":            {func(o *Occurrence) { o.Regarding.Kind = "Node" }, false, 1, false},
		"namespace":       {func(o *Occurrence) { o.Regarding.Namespace = "shop" }, false, 1, false},
		"name":            {func(o *Occurrence) { o.Regarding.Name = "db" }, false, 1, false},
		"UID":             {func(o *Occurrence) { o.Regarding.UID = "another-of-a-pod" }, false, 1, false}, // in the same shard
		"version":         {func(o *Occurrence) { o.Regarding.Version = "v1beta1" }, true, 1, false},
		"resourceVersion": {func(o *Occurrence) { o.Regarding.ResourceVersion = "8" }, true, 1, false},
		"field path":      {func(o *Occurrence) { o.Regarding.FieldPath = "spec.containers{main}" }, true, 1, false},
		"type":            {func(o *Occurrence) { o.Type = warning }, true, 2, false},
		"controller":      {func(o *Occurrence) { o.ReportingController = "example.com/other" }, true, 2, false},
		"related":         {func(o *Occurrence) { o.Related, o.HasRelated = Reference{Kind: "Pod", Name: "db"}, true }, false, 1, false},
		"one related":     {func(o *Occurrence) { o.Related, o.HasRelated = Reference{Kind: "Pod", Name: "db"}, true }, true, 2, true},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCache(intervals, 10)
			c.LimitObjects(1)
			var r result
			for i, reason := range []string{"a", "b", "c"} { // the second makes an overflow series
				o := Occurrence{Key: keyOf("web", normal), At: at(0)}
				if o.Reason = reason; row.first && i == 0 || !row.first && i == 2 {
					row.change(&o)
				}
				r = record(c, o.Key, o)
			}
			_, _, size := snapshotOf(c)
			if overflow := size - map[bool]int{true: 1, false: 2}[r.Overflowed]; r.Overflowed != row.overflowed || overflow != row.overflow {
				t.Errorf("overflowed: %v, in %d overflow series, want %v, %d", r.Overflowed, overflow, row.overflowed, row.overflow)
			}
			if reason := r.Series.First().Reason; (reason == OverflowReason) != r.Overflowed {
				t.Errorf("overflowed: %v, and it is counted as %s", r.Overflowed, reason)
			}
		})
	}
}
