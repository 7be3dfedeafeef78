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

// The deadline of a probe is the pause before it, which is no shorter than the server asked for.
func TestGatePauseIsWhatTheServerAskedFor(t *testing.T) {
	var g gate
	g.shut(noon, asks(time.Minute), whole)
	if g.pause != time.Minute {
		t.Errorf("a pause of %v, want the minute that the server asked for", g.pause)
	}
}

func TestServerGate(t *testing.T) {
	var g serverGate
	closes := func() { g.shut(g.until, asks(0), whole) }
	closes()
	g.began(1)
	if !g.probing() || g.openIfProbe(2) || !g.openIfProbe(1) || g.closed() {
		t.Errorf("%+v, want it opened by a slow probe alone", g)
	}
	closes()
	g.ended(1, true, false)
	g.began(3)
	if g.openIfProbe(3) {
		t.Errorf("%+v, want that slowness opens it no more after a slow probe was refused", g)
	}
	g.ended(3, false, false)
	if g.probing() || !g.slowMayBeRefused {
		t.Errorf("%+v, want that a probe that was refused changes nothing of it", g)
	}
	g.open()
	closes()
	g.began(4)
	if !g.openIfProbe(4) {
		t.Errorf("%+v, want that slowness opens it again after a write has reached the server", g)
	}
	g.began(5)
	g.open()
	if g.probing() || g.openIfProbe(5) {
		t.Errorf("%+v, want that an open gate awaits no probe", g)
	}
}

func TestEvictableNamespaces(t *testing.T) {
	for name, row := range map[string]struct {
		change func(ns *namespace[*item])
		want   bool
	}{
		"nothing is known":         {func(*namespace[*item]) {}, true},
		"a write is in flight":     {func(ns *namespace[*item]) { ns.inFlight = 1 }, false},
		"an item waits":            {func(ns *namespace[*item]) { ns.items[1].push(entry[*item]{}) }, false},
		"it failed a moment ago":   {func(ns *namespace[*item]) { ns.gate.until = noon.Add(-time.Second) }, false},
		"it failed long ago":       {func(ns *namespace[*item]) { ns.gate.until = noon.Add(-time.Minute) }, true},
		"it was served lately":     {func(ns *namespace[*item]) { ns.lastServed[1] = 10_000 - minSweep/2 }, false},
		"it was served before":     {func(ns *namespace[*item]) { ns.lastServed[1] = 10_000 - minSweep/2 - 1 }, true},
		"another class was lately": {func(ns *namespace[*item]) { ns.lastServed[3] = 9_999 }, false},
	} {
		ns := newNamespace[*item]("a")
		row.change(ns)
		if got := ns.evictable(noon, 10_000); got != row.want {
			t.Errorf("%s: evictable %t, want %t", name, got, row.want)
		}
	}
}
