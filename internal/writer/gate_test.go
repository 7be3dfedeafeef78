// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/internal/request"
)

func whole(d time.Duration) time.Duration { return d }

func asks(d time.Duration) request.Verdict { return request.Verdict{Wait: d} }

var noon = time.Unix(1e9, 0)

func TestGateDoublesFromFirstToLongest(t *testing.T) {
	var g gate
	var waits []time.Duration
	for now := noon; len(waits) < 9; now = g.until {
		g.shut(now, asks(0), whole)
		g.shut(now, asks(0), whole) // writes that were in flight together fail together
		waits = append(waits, g.until.Sub(now))
		if g.admits(g.until.Add(-1)) || !g.admits(g.until) {
			t.Errorf("after %d failures: it does not open at its time", g.failures)
		}
	}
	const s = time.Second
	want := []time.Duration{s / 4, s / 2, s, 2 * s, 4 * s, 8 * s, 16 * s, 30 * s, 30 * s}
	if diff := cmp.Diff(want, waits); diff != "" {
		t.Errorf("waits (-want +got):\n%s", diff)
	}
}

func TestGateKeepsTheServersWord(t *testing.T) {
	var g gate
	g.shut(noon, asks(time.Minute), whole)
	g.shut(noon, asks(time.Second), whole)
	if !g.closed() || g.admits(noon.Add(time.Minute-1)) || !g.admits(noon.Add(time.Minute)) {
		t.Errorf("%+v, want it closed for the minute that the server asked for", g)
	}
	g.shut(noon, asks(2*time.Minute), whole)
	if g.admits(noon.Add(2*time.Minute - 1)) {
		t.Errorf("%+v, want it closed for the longest time that the server asked for", g)
	}
}
