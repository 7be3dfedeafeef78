// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package world

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestIdealOrder: with two requests a second, after a first one, Warnings come before the
// Normals that wait, and nothing is sent while the server cannot be reached. Caught: an
// order of occurrence; a burst that is never used up, or that grows while nothing is sent; a
// cut that is passed over.
func TestIdealOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := NewAPI(Settings{})
		began := api.Began()
		c := api.NewComponent(silent, Identity{QPS: 2, Burst: 1, Cut: func(now time.Time) bool {
			return now.Sub(began) >= 10*time.Second && now.Sub(began) < 12*time.Second
		}})
		at := func(d time.Duration, warning bool) first { return first{began.Add(d).UnixNano(), 0, warning} }
		got := c.idealDelays([]first{
			at(0, false), at(0, false), at(0, false), at(time.Second/4, true), at(10*time.Second, true),
			at(20*time.Second, true), at(20*time.Second, true),
		})
		for i := range got {
			got[i] = got[i].Round(time.Millisecond)
		}
		const latency = 10 * time.Millisecond
		want := []time.Duration{
			latency, time.Second + latency, 1500*time.Millisecond + latency, time.Second/4 + latency, 2*time.Second + latency,
			latency, time.Second/2 + latency,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("delays (-want +got):\n%s", diff)
		}
	})
}

// TestFirsts: repeats do not count, and what the ideal order cannot store in time is apart.
// Caught: counts among the first occurrences; a bound that is not looked at.
func TestFirsts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := NewAPI(Settings{})
		c := api.NewComponent(SDK, Identity{Controller: "kubelet", Host: "a", QPS: 1, Burst: 1})
		for i := range 10 {
			s := c.NewSeries(warning(i))
			s.Occur("once")
			s.Occur("again")
		}
		api.Finish()
		f := api.Firsts(true, 4500*time.Millisecond)
		if f.Took.Count() != 10 || f.Ideal.Count() != 10 || f.InTime.Count() != 5 {
			t.Errorf("%d, ideally %d, of which %d in time, want 10, 10 and 5", f.Took.Count(), f.Ideal.Count(), f.InTime.Count())
		}
		if got := f.Ideal.Max().Round(time.Second); got != 9*time.Second {
			t.Errorf("the ideal order takes %v, want 9 s", got)
		}
	})
}

// TestFirstsAreOfOneKind: what was, what would ideally have been, and what was of those that
// would have been in time, of Warnings or of all. Caught: Normals among the Warnings; an ideal
// order of what was stored rather than of what occurred; one figure in the place of another.
func TestFirstsAreOfOneKind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := NewAPI(Settings{})
		c := api.NewComponent(silent, Identity{QPS: 1, Burst: 1})
		began := api.Began().UnixNano()
		c.firsts = []first{
			{began + int64(2*time.Second), 9 * time.Second, true}, {began, 3 * time.Second, true}, {began, 5 * time.Second, false},
		}
		for _, tt := range []struct {
			warnings bool
			want     []time.Duration // the number and the longest of each kind
		}{
			{true, []time.Duration{2, 9 * time.Second, 2, 0, 2, 9 * time.Second}},
			{false, []time.Duration{3, 9 * time.Second, 3, time.Second, 2, 9 * time.Second}},
		} {
			f := api.Firsts(tt.warnings, time.Second/2)
			var got []time.Duration
			for _, d := range []Delays{f.Took, f.Ideal, f.InTime} {
				got = append(got, time.Duration(d.Count()), d.Max().Round(time.Second))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Warnings only %v: took, ideal, in time (-want +got):\n%s", tt.warnings, diff)
			}
		}
	})
}
