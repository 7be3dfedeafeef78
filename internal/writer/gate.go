// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"cmp"
	"time"
)

// Back-off of a closed gate. The first wait is short because most faults are a
// connection that broke once; the longest keeps a component from hammering a
// server that restarts, and still delivers within half a minute of its return.
const (
	firstWait   = 250 * time.Millisecond
	longestWait = 30 * time.Second
)

// longestPause is the longest wait of a gate that is closed because several
// namespaces heard the same: whether the server means all of them is not known, and
// a namespace of which nothing is known must not wait for long behind a thousand
// others that are refused.
const longestPause = time.Second

// skew is between two readings of one clock by different goroutines. What is more
// is a clock that was set back.
const skew = time.Second

// gate is the one back-off mechanism: closed, it holds writes until a time,
// then lets one probe through. A good answer opens it, a bad one doubles the
// wait. The zero gate is open.
type gate struct {
	most    time.Duration // the longest back-off; 0: longestWait
	wait    time.Duration // the last back-off before jitter; 0 when open
	until   time.Time
	asked   time.Time     // until when the server itself asked to wait
	longest time.Duration // that until may be ahead, unless the clock was set back
	probe   uint64        // the job that is the one write under way; 0 if none is
}

func (g *gate) closed() bool { return g.wait > 0 }

// admits tells whether a write may pass at now; if not, and no probe is under
// way whose answer will tell, retry is when to ask again.
func (g *gate) admits(now time.Time) (ok bool, retry time.Time) {
	switch {
	case !g.closed():
		return true, time.Time{}
	case g.probe != 0:
		return false, time.Time{}
	case now.Before(g.until) && g.until.Sub(now) <= g.longest+skew:
		return false, g.until
	default:
		return true, time.Time{}
	}
}

// enter takes in a job that was admitted: through a closed gate it is the probe.
func (g *gate) enter(job uint64) {
	if g.closed() {
		g.probe = job
	}
}

// leave ends the job's role and tells whether it was the probe. One that was sent
// before the gate opened and closed again no longer is. A gate that nothing
// judges afterwards stays closed and lets the next write through.
func (g *gate) leave(job uint64) (wasProbe bool) {
	if g.probe != job {
		return false
	}
	g.probe = 0
	return true
}

// shut closes the gate after a bad answer. Writes that were under way when it
// closed report the same fault again: only the probe doubles the wait. floor is
// the server's own word and is never undercut; jitter spreads the rest.
func (g *gate) shut(now time.Time, floor time.Duration, wasProbe bool, jitter func(time.Duration) time.Duration) {
	asked := now.Add(floor)
	g.longest = max(g.longest, floor, longestWait)
	switch {
	case !g.closed():
		g.wait = firstWait
	case wasProbe:
		g.wait = min(2*g.wait, cmp.Or(g.most, longestWait))
	default:
		g.asked, g.until = later(g.asked, asked), later(g.until, asked)
		return
	}
	g.asked, g.until = asked, now.Add(max(floor, jitter(g.wait)))
}

// pass opens the gate after a good answer, unless that is to a write that was
// under way before the server asked to wait.
func (g *gate) pass(now time.Time, wasProbe bool) {
	if wasProbe || !now.Before(g.asked) {
		g.open()
	}
}

func (g *gate) open() { *g = gate{most: g.most} }

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
