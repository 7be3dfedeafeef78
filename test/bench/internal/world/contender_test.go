// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package world

import (
	"testing"
	"testing/synctest"
	"time"
)

// all are the contenders that are compared.
var all = []string{sdkName, "KEP-383 alone", "tools/events", "tools/record"}

const sdkName = "eventseries"

// TestContenders: what each of them writes of a known script, and what it loses.
// Caught: no time to deliver after the end; in the SDK, a publish interval that is
// ignored, cannot be turned off, or asks for no doubling.
func TestContenders(t *testing.T) {
	tests := []struct {
		name  string
		every time.Duration
		times int
		want  map[string]Tally
	}{
		{"once", time.Minute, 1, map[string]Tally{
			sdkName:         {Occurrences: 1, Creates: 1, Events: 1, Shown: 1, Counted: 1},
			"KEP-383 alone": {Occurrences: 1, Creates: 1, Events: 1, Shown: 1, Counted: 1},
			"tools/events":  {Occurrences: 1, Creates: 1, Events: 1, Shown: 1, Counted: 1},
			"tools/record":  {Occurrences: 1, Creates: 1, Events: 1, Shown: 1, Counted: 1},
		}},
		{"ten times in ten minutes", time.Minute, 10, map[string]Tally{
			// 1, 2, 4, 8 and the final 10.
			sdkName:         {Occurrences: 10, Creates: 1, Patches: 4, Events: 1, Shown: 10, Counted: 10},
			"KEP-383 alone": {Occurrences: 10, Creates: 1, Patches: 2, Events: 1, Shown: 10, Counted: 10},
			// 1, 2 and the final 10.
			"tools/events": {Occurrences: 10, Creates: 1, Patches: 2, Events: 1, Shown: 10, Counted: 10},
			"tools/record": {Occurrences: 10, Creates: 1, Patches: 9, Events: 1, Shown: 10, Counted: 10},
		}},
		{"a hundred times in 100 seconds", time.Second, 100, map[string]Tally{
			// 1, 2, then every 10 seconds if it has doubled: 12, 24, 48, 96, and the final 100.
			sdkName:         {Occurrences: 100, Creates: 1, Patches: 6, Events: 1, Shown: 100, Counted: 100},
			"KEP-383 alone": {Occurrences: 100, Creates: 1, Patches: 2, Events: 1, Shown: 100, Counted: 100},
			"tools/events":  {Occurrences: 100, Creates: 1, Patches: 2, Events: 1, Shown: 100, Counted: 100},
			// The spam filter lets 25 pass, and later none.
			"tools/record": {Occurrences: 100, Creates: 1, Patches: 24, Events: 1, Shown: 25, Counted: 25},
		}},
	}
	for _, test := range tests {
		for _, contender := range all {
			t.Run(test.name+"/"+contender, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					api := NewAPI()
					s := api.NewComponent(Contenders[contender], Identity{Controller: "scheduler", Host: "a"}).Series(warning(1))
					again(s, test.every, test.times)
					api.Finish()
					if got := s.Tally(); got != test.want[contender] {
						t.Errorf("got %+v, want %+v", got, test.want[contender])
					}
				})
			})
		}
	}
}

// again lets s occur some times, from a moment that is no multiple of any interval.
func again(s *Series, every time.Duration, times int) {
	time.Sleep(1234567 * time.Microsecond)
	for range times {
		s.Occur("again")
		time.Sleep(every)
	}
}

// TestRateLimit: everybody's writes go through the same token bucket.
// Caught: a contender whose sink does not wait.
func TestRateLimit(t *testing.T) {
	for _, contender := range all {
		t.Run(contender, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				api := NewAPI()
				c := api.NewComponent(Contenders[contender], Identity{Controller: "kubelet", Host: "a", QPS: 5, Burst: 10})
				for i := range 20 {
					c.Series(warning(i)).Occur("once")
				}
				api.Finish()
				delays := api.Delays()
				got, want := delays.Max().Round(time.Millisecond), 2*time.Second+latency
				if got != want || delays.Count() != 20 {
					t.Errorf("%d arrived, the last after %v, want all 20 after %v", delays.Count(), got, want)
				}
				if got := api.Seconds(); got[0] < 14 || got[0] > 15 {
					t.Errorf("%d creates in the first second, want 10 and 5 a second", got[0])
				}
			})
		})
	}
}

// TestManyComponents: tools/events refreshes and finishes the series of many
// components, all at the same moment, while more occurs, and time goes on.
// Caught: a sink that waits under the lock of tools/events (the test hangs).
func TestManyComponents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := NewAPI()
		var script Script
		for i := range 5 {
			c := api.NewComponent(Contenders["tools/events"], Identity{Controller: "kubelet", Host: pod(i).Name})
			for j := range 6 {
				s := c.Series(warning(100*i + j))
				script.Add(api.Began().Add(time.Duration(j)*time.Second), func(now time.Time) time.Time {
					s.Occur("again")
					return now.Add(time.Minute)
				})
			}
		}
		script.Play(api.Began().Add(time.Hour))
		api.Finish()
		got := api.Totals()
		if got.Series != 30 || got.Occurrences != 1800 || got.Lost() != 0 || got.Inexact != 0 || got.Events != 30 {
			t.Errorf("got %v", got)
		}
	})
}

// TestCut: who is cut off from the server delivers afterwards. Caught: a cut that
// does not reach a sink.
func TestCut(t *testing.T) {
	for _, contender := range all {
		t.Run(contender, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				api := NewAPI()
				until := api.Began().Add(2 * time.Minute)
				c := api.NewComponent(Contenders[contender], Identity{
					Controller: "kubelet", Host: "a", Cut: func(now time.Time) bool { return now.Before(until) },
				})
				c.Series(warning(1)).Occur("once")
				api.Finish()
				delays := api.Delays()
				if got := delays.Max(); delays.Count() != 1 || got < 2*time.Minute || got > 5*time.Minute {
					t.Errorf("%d arrived, after %v, want 1 soon after 2 minutes", delays.Count(), got)
				}
			})
		})
	}
}

// TestForgetful: a server that keeps nothing answers all the same. Caught: an
// Event that is stored; a series that is looked up, or kept.
func TestForgetful(t *testing.T) {
	for _, contender := range all {
		t.Run(contender, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				api := NewForgetfulAPI()
				c := api.NewComponent(Contenders[contender], Identity{Controller: "kubelet", Host: "a"})
				again(c.Series(warning(1)), time.Minute, 10)
				api.Finish()
				if got := api.Totals(); got != (Totals{}) || len(api.Seconds())+len(c.series) > 0 {
					t.Errorf("the server knows of %v", got)
				}
				if api.forgotten == 0 {
					t.Error("nothing was written")
				}
			})
		})
	}
}
