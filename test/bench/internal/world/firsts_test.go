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
		api := NewAPI()
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
		api := NewAPI()
		c := api.NewComponent(Contenders[sdkName], Identity{Controller: "kubelet", Host: "a", QPS: 1, Burst: 1})
		for i := range 10 {
			s := c.Series(warning(i))
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
