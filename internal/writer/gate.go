// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import "time"

// Back-off of a closed gate. The first wait is short because most faults are a
// connection that broke once; the longest keeps a component from hammering a
// server that restarts, and still delivers within half a minute of its return.
const (
	firstWait   = 250 * time.Millisecond
	longestWait = 30 * time.Second
)

// gate is the one back-off mechanism: closed, it holds writes until a time,
// then lets one probe through. An open answer opens it, a bad one doubles the
// wait. The zero gate is open.
type gate struct {
	wait    time.Duration // the last back-off before jitter; 0 when open
	until   time.Time
	probing bool // the one write is under way
}

func (g *gate) closed() bool { return g.wait > 0 }

// admits tells whether a write may pass at now; if not, and no probe is under
// way whose answer will tell, retry is when to ask again.
func (g *gate) admits(now time.Time) (ok bool, retry time.Time) {
	switch {
	case !g.closed():
		return true, time.Time{}
	case g.probing:
		return false, time.Time{}
	case now.Before(g.until):
		return false, g.until
	default:
		return true, time.Time{}
	}
}

// shut closes the gate after a bad answer. Writes that were under way when it
// closed report the same fault again: only the probe doubles the wait. floor is
// the server's own word and is never undercut; jitter spreads the rest.
func (g *gate) shut(now time.Time, floor time.Duration, wasProbe bool, jitter func(time.Duration) time.Duration) {
	switch {
	case !g.closed():
		g.wait = firstWait
	case wasProbe:
		g.wait = min(2*g.wait, longestWait)
	default:
		if at := now.Add(floor); at.After(g.until) {
			g.until = at
		}
		return
	}
	g.until = now.Add(max(floor, jitter(g.wait)))
}

func (g *gate) open() { *g = gate{} }
