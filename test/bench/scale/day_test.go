// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/test/bench/internal/world"
	"github.com/eventseries/eventseries/test/bench/scale/internal/load"
)

var small = load.Config{Nodes: 9, PodsPerNode: 20, Span: time.Hour, Seed: 1}

func quiet(string, ...any) {}

// passDay simulates a day in a bubble of its own.
func passDay(t *testing.T, c world.Contender, bad bool) (r *dayResult) {
	config := small
	config.Bad = bad
	synctest.Test(t, func(*testing.T) { r = simulateDay(c, config, quiet) })
	return r
}

// Of what is recorded through the SDK nothing is lost, not even of a zone that is cut off, and every count is right.
// Caught: WithMaxSeries(20); a model whose first minute is not counted.
func TestSDKConserves(t *testing.T) {
	for _, bad := range []bool{false, true} {
		r := passDay(t, world.SDK, bad)
		if r.Totals.Lost() != 0 || r.Totals.Inexact != 0 || len(r.drops()) > 0 {
			t.Errorf("bad %v: %v, dropped %v", bad, r.Totals, r.Dropped)
		}
		if r.Observed != r.Totals.Occurrences || r.Recorded != r.Totals.Occurrences {
			t.Errorf("bad %v: %d occurred, the SDK observed %d and recorded %d",
				bad, r.Totals.Occurrences, r.Observed, r.Recorded)
		}
		said := int64(0)
		for _, n := range r.Said {
			said += n
		}
		if said != r.Totals.Occurrences {
			t.Errorf("bad %v: %d occurred, the model said %d", bad, r.Totals.Occurrences, said)
		}
	}
}

// Caught: publishing.With(1, 0, 0) and WithRefreshInterval(1), with which every occurrence is a write.
func TestSDKWritesLeast(t *testing.T) {
	ours := passDay(t, world.SDK, true).Totals.Writes()
	for _, peer := range []world.Contender{world.ToolsEvents, world.ToolsRecord} {
		if theirs := passDay(t, peer, true).Totals.Writes(); ours >= theirs {
			t.Errorf("%d writes, %s has %d", ours, peer.Name, theirs)
		}
	}
}

// What a zone says while it is cut off arrives after its return; the others' at once.
// Caught: components that are never cut off, all of them cut off, and WithRetryFor below the time that a zone is.
func TestCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		config := small
		config.Bad = true
		api := world.NewAPI(world.Settings{})
		components := startComponents(api, world.SDK, config, 0, 2)
		span := float64(config.Span)
		time.Sleep(time.Duration(span*load.ZoneFrom) + time.Minute)
		for _, c := range components {
			occur(c, &load.Emission{
				Regarding: load.Object{Kind: "Pod", Namespace: "default", Name: "web", UID: "1"},
				What:      load.What{Type: "Normal", Reason: "Started", Action: "Starting"},
			})
		}
		time.Sleep(time.Second)
		if n := api.Stored(); n != 1 {
			t.Errorf("%d Events a second later, want that of the node that is not cut off", n)
		}
		api.Finish()
		appeared := api.Appearances()
		least := time.Duration(span*(load.ZoneTo-load.ZoneFrom)) - time.Minute
		if n, last := appeared.Count(), appeared.Max(); n != 2 || last < least || last > least+time.Minute {
			t.Errorf("%d Events, the last after %v, the zone was back after %v", n, last, least)
		}
	})
}

// Caught: the 98th percentile, and the time to finish counted into the span.
func TestPerSecond(t *testing.T) {
	r := dayResult{Config: load.Config{Span: 200 * time.Second}, Seconds: make([]world.Second, 300)}
	for i := range r.Seconds {
		r.Seconds[i] = world.Second{Creates: int32(i / 2), Patches: int32(i - i/2)}
	}
	mean, p99, peak := r.perSecond()
	if diff := cmp.Diff([]float64{99.5, 197, 199}, []float64{mean, float64(p99), float64(peak)}); diff != "" {
		t.Errorf("mean, p99, peak (-want +got):\n%s", diff)
	}
}
