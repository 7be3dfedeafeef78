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
	if g.pass(g.until); g.closed() || g.failures != 0 {
		t.Errorf("%+v after a good answer, want it open", g)
	}
}

// Writes that were under way together fail together. Caught: a back-off that each of them doubles.
func TestGateDoublesOncePerBackOff(t *testing.T) {
	var g gate
	for range 5 {
		g.shut(noon, asks(0), whole)
	}
	if g.wait != firstWait || g.failures != 1 {
		t.Errorf("%+v, want one failure", g)
	}
}

// Jitter spreads the wait and is not what doubles.
func TestGateJitter(t *testing.T) {
	var g gate
	for now := noon; g.wait < longestWait; now = g.until {
		before := g.wait
		g.shut(now, asks(0), func(d time.Duration) time.Duration { return d / 3 })
		if want := max(firstWait, min(2*before, longestWait)); g.wait != want || g.until.Sub(now) != want/3 {
			t.Fatalf("wait %v until %v, want %v and a third of it", g.wait, g.until.Sub(now), want)
		}
	}
	spread := fullJitter(noon)
	for range 1000 {
		if d := spread(firstWait); d <= 0 || d > firstWait {
			t.Fatalf("jitter %v of %v", d, firstWait)
		}
	}
}

// Caught: an answer to an older write, or a shorter word of the server, that undercuts what it asked for.
func TestGateKeepsTheServersWord(t *testing.T) {
	var g gate
	g.shut(noon, asks(time.Minute), whole)
	g.shut(noon, asks(time.Second), whole)
	if g.pass(noon.Add(time.Second)); !g.closed() || g.admits(noon.Add(time.Minute-1)) {
		t.Errorf("%+v, want it closed for the minute that the server asked for", g)
	}
	if g.pass(noon.Add(time.Minute)); g.closed() {
		t.Errorf("%+v, want it open", g)
	}
	g.shut(noon, asks(time.Minute), whole)
	if g.hurry(); !g.closed() || !g.admits(noon) {
		t.Errorf("%+v after hurry, want that its next write is a probe", g)
	}
}
