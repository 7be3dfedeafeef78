// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package world

import (
	"testing"
	"testing/synctest"
	"time"
)

// all are the contenders that are compared.
var all = []Contender{SDK, Literal, ToolsEvents, ToolsRecord}

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
			SDK.Name:         {Occurrences: 1, Creates: 1, Events: 1, Shown: 1, Counted: 1},
			Literal.Name:     {Occurrences: 1, Creates: 1, Events: 1, Shown: 1, Counted: 1},
			ToolsEvents.Name: {Occurrences: 1, Creates: 1, Events: 1, Shown: 1, Counted: 1},
			ToolsRecord.Name: {Occurrences: 1, Creates: 1, Events: 1, Shown: 1, Counted: 1},
		}},
		{"ten times in ten minutes", time.Minute, 10, map[string]Tally{
			// 1, 2, 4, 8 and the final 10.
			SDK.Name:     {Occurrences: 10, Creates: 1, Patches: 4, Events: 1, Shown: 10, Counted: 10},
			Literal.Name: {Occurrences: 10, Creates: 1, Patches: 2, Events: 1, Shown: 10, Counted: 10},
			// 1, 2 and the final 10.
			ToolsEvents.Name: {Occurrences: 10, Creates: 1, Patches: 2, Events: 1, Shown: 10, Counted: 10},
			ToolsRecord.Name: {Occurrences: 10, Creates: 1, Patches: 9, Events: 1, Shown: 10, Counted: 10},
		}},
		{"a hundred times in 100 seconds", time.Second, 100, map[string]Tally{
			// 1, 2, then every 10 seconds if it has doubled: 12, 24, 48, 96, and the final 100.
			SDK.Name:         {Occurrences: 100, Creates: 1, Patches: 6, Events: 1, Shown: 100, Counted: 100},
			Literal.Name:     {Occurrences: 100, Creates: 1, Patches: 2, Events: 1, Shown: 100, Counted: 100},
			ToolsEvents.Name: {Occurrences: 100, Creates: 1, Patches: 2, Events: 1, Shown: 100, Counted: 100},
			// The spam filter lets 25 pass, and later none.
			ToolsRecord.Name: {Occurrences: 100, Creates: 1, Patches: 24, Events: 1, Shown: 25, Counted: 25},
		}},
	}
	for _, test := range tests {
		for _, contender := range all {
			t.Run(test.name+"/"+contender.Name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					api := NewAPI(Settings{})
					s := api.NewComponent(contender, Identity{Controller: "scheduler", Host: "a"}).NewSeries(warning(1))
					again(s, test.every, test.times)
					api.Finish()
					if got := s.Tally(); got != test.want[contender.Name] {
						t.Errorf("got %+v, want %+v", got, test.want[contender.Name])
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

// TestDoubledCountsShow: of what occurs ten times a second, the SDK shows a
// doubled count within its publish interval, 10 s, and the latency of the write;
// and that is not by far too often. Caught: a publish interval of 11 s in the
// SDK; one that is ignored.
func TestDoubledCountsShow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := NewAPI(Settings{Latency: 50 * time.Millisecond})
		s := api.NewComponent(SDK, Identity{Controller: "kubelet", Host: "a"}).NewSeries(warning(1))
		again(s, 100*time.Millisecond, 9_000)
		d := api.Doublings()
		if got, most := d.Max(), 10*time.Second+50*time.Millisecond; got > most || got < 9*time.Second {
			t.Errorf("a doubled count took %v to show, want nearly 10 s and no more than %v", got, most)
		}
		// 1 and 2, then 13 doublings at most; more than doubled is written, mostly.
		if n := s.Tally().Writes(); n < 7 || n > 15 {
			t.Errorf("%d writes, want 7 to 15", n)
		}
		api.Finish()
		if got := s.Tally(); got.Counted != 9_000 {
			t.Errorf("counted %d of 9000", got.Counted)
		}
	})
}

// TestRateLimit: everybody's writes go through the same token bucket.
// Caught: a contender whose sink does not wait.
func TestRateLimit(t *testing.T) {
	for _, contender := range all {
		t.Run(contender.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				api := NewAPI(Settings{Latency: time.Millisecond})
				c := api.NewComponent(contender, Identity{Controller: "kubelet", Host: "a", QPS: 5, Burst: 10})
				for i := range 20 {
					c.NewSeries(warning(i)).Occur("once")
				}
				api.Finish()
				delays := api.Delays()
				got, want := delays.Max().Round(time.Millisecond), 2*time.Second+time.Millisecond
				if got != want || delays.Count() != 20 {
					t.Errorf("%d arrived, the last after %v, want all 20 after %v", delays.Count(), got, want)
				}
				if got := api.Seconds(); got[0].Creates < 14 || got[0].Creates > 15 {
					t.Errorf("%d creates in the first second, want 10 and 5 a second", got[0].Creates)
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
		api := NewAPI(Settings{})
		var script Script
		for i := range 5 {
			c := api.NewComponent(ToolsEvents, Identity{Controller: "kubelet", Host: pod(i).Name})
			for j := range 6 {
				s := c.NewSeries(warning(100*i + j))
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
		t.Run(contender.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				api := NewAPI(Settings{})
				until := api.Began().Add(2 * time.Minute)
				c := api.NewComponent(contender, Identity{
					Controller: "kubelet", Host: "a", Cut: func(now time.Time) bool { return now.Before(until) },
				})
				c.NewSeries(warning(1)).Occur("once")
				api.Finish()
				delays := api.Delays()
				if got := delays.Max(); delays.Count() != 1 || got < 2*time.Minute || got > 5*time.Minute {
					t.Errorf("%d arrived, after %v, want 1 soon after 2 minutes", delays.Count(), got)
				}
			})
		})
	}
}

// TestForgetful: a server that keeps no books answers all the same. Caught: an
// Event that is stored; a series that is looked up, or kept.
func TestForgetful(t *testing.T) {
	for _, contender := range all {
		t.Run(contender.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				api := NewAPI(Settings{Forgetful: true})
				c := api.NewComponent(contender, Identity{Controller: "kubelet", Host: "a"})
				again(c.Series(warning(1)), time.Minute, 10)
				api.Finish()
				if got := api.Totals(); got != (Totals{}) || api.Stored() > 0 || len(api.Seconds())+len(c.series) > 0 {
					t.Errorf("the server knows of %d Events: %v", api.Stored(), got)
				}
				if stats, ok := c.Stats(); ok && stats.Recorded != 10 {
					t.Errorf("%d recorded, want 10", stats.Recorded)
				}
			})
		})
	}
}
