// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package counts

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/test/bench/internal/report"
)

// TestStorm: in a small storm, too, the SDK writes no more than it may, and every
// count is exact. Caught, in the SDK: a publish interval that cannot be turned
// off, or asks for no doubling; a refresh every 10 minutes; counts cut at 50.
func TestStorm(t *testing.T) {
	demandAll(t, storm(inBubble(t), Storm{Pods: 30, Duration: hour, Seed: 7}, quiet), []string{
		"eventseries: ≤ 0.8 × tools/events (missed)", // so few series need no limit
		"eventseries, KEP-383 alone: ≤ tools/events",
		"tools/record: > eventseries",
		"eventseries: ≤ 1",
		"eventseries: 100",
		"eventseries, KEP-383 alone: 100",
	})
}

// TestCrashLoop: on a small crash-looping node, too, the SDK writes less than
// tools/record, and what has doubled is visible before tools/events shows it.
// Caught, in the SDK: a refresh every hour.
func TestCrashLoop(t *testing.T) {
	demandAll(t, crashLoop(inBubble(t), CrashLoop{Pods: 3, Duration: 6 * hour, Seed: 7}, quiet), []string{
		"eventseries: ≤ 1.02 × tools/events (missed)", // as in the storm
		"tools/record: > eventseries",
		"eventseries: ≤ tools/events",
		"eventseries: 100",
	})
}

// TestHot: a hot series is visible at each doubling. Caught, in the SDK: a publish
// interval that is ignored, or asks for tripling; no token for a series that is alone.
func TestHot(t *testing.T) {
	demandAll(t, hot(inBubble(t), Hot{Every: 100 * time.Millisecond, Duration: hour}, quiet), []string{
		"eventseries: ≤ 10 s and the write",
		"eventseries: 100",
	})
}

// demandAll holds a section to the demands that it has to make, which are met unless want
// says "(missed)".
func demandAll(t *testing.T, section report.Section, want []string) {
	t.Helper()
	var got []string
	for _, row := range section.Rows {
		t.Log(row.What, row.Contender, row.Values, row.Unit, row.Note)
		if row.Demand == nil {
			continue
		}
		text := row.Contender + ": " + row.Demand.Text
		if !row.Demand.Pass {
			text += " (missed)"
		}
		got = append(got, text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("demands (-want +got):\n%s", diff)
	}
}

func quiet(int, int, string) {}

func inBubble(t *testing.T) func(func()) {
	return func(f func()) { synctest.Test(t, func(*testing.T) { f() }) }
}

// TestBackOff: a container waits as kubelet has it wait, between all that it
// says. Caught: one of 20 s to begin with.
func TestBackOff(t *testing.T) {
	var restarts []time.Duration
	c := &container{}
	for range 8 {
		restarts = append(restarts, c.wait)
		c.backOffMore()
	}
	want := []time.Duration{0, 10e9, 20e9, 40e9, 80e9, 160e9, 300e9, 300e9}
	if diff := cmp.Diff(want, restarts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
