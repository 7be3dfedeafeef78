// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"cmp"
	"time"
)

// Back-off of a closed gate. The first wait is short because most faults are a
// connection that broke once. The longest spares a server that restarts, and still
// delivers within half a minute of its return.
const (
	firstWait   = 250 * time.Millisecond
	longestWait = 30 * time.Second
)

// longestPause is the longest wait of a gate that is closed because several
// namespaces got the same answer. It is short because the server may mean only
// these: a healthy namespace must not wait for a thousand others that are refused.
const longestPause = time.Second

// skew is the difference that is allowed between two readings of one clock by
// different goroutines. More means that the clock was set back.
const skew = time.Second

// gate is the one back-off mechanism: closed, it holds writes until a time,
// then lets one probe through. A good answer opens it, a bad one doubles the
// wait. The zero gate is open.
type gate struct {
	maxWait    time.Duration // the longest back-off; 0: longestWait
	wait       time.Duration // the last back-off before jitter; 0 when open
	failures   int           // in a row: what closed it, and each probe since
	until      time.Time
	retryAfter time.Time     // until when the server itself asked to wait
	maxAhead   time.Duration // how far until may be ahead, unless the clock was set back
	lastError  string        // the words of the last bad answer, for a person
	probe      uint64        // the job that is the one write under way; 0 if there is none
}

func (g *gate) closed() bool { return g.wait > 0 }

// admits reports whether a write may pass at now. If not, retry is when to ask again;
// zero while a probe is under way.
func (g *gate) admits(now time.Time) (ok bool, retry time.Time) {
	switch {
	case !g.closed():
		return true, time.Time{}
	case g.probe != 0:
		return false, time.Time{}
	case now.Before(g.until) && g.until.Sub(now) <= g.maxAhead+skew:
		return false, g.until
	default:
		return true, time.Time{}
	}
}

// enter records that a job was admitted: through a closed gate it is the probe.
func (g *gate) enter(job uint64) {
	if g.closed() {
		g.probe = job
	}
}

// leave records that a job has ended and reports whether it was the probe. A job that
// began before the gate opened and closed again is not. Without a call of shut or pass
// afterwards the gate stays closed and admits the next write.
func (g *gate) leave(job uint64) (wasProbe bool) {
	if g.probe != job {
		return false
	}
	g.probe = 0
	return true
}

// shut closes the gate after a bad answer. Writes that were under way when it closed
// report the same fault again, so only the probe doubles the wait. floor is how long
// the server asked to wait, at least; jitter spreads the rest.
func (g *gate) shut(now time.Time, floor time.Duration, wasProbe bool, jitter func(time.Duration) time.Duration) {
	asked := now.Add(floor)
	g.maxAhead = max(g.maxAhead, floor, longestWait)
	switch {
	case !g.closed():
		g.wait = firstWait
	case wasProbe:
		g.wait = min(2*g.wait, cmp.Or(g.maxWait, longestWait))
	default:
		g.retryAfter, g.until = later(g.retryAfter, asked), later(g.until, asked)
		return
	}
	g.failures++
	g.retryAfter, g.until = asked, now.Add(max(floor, jitter(g.wait)))
}

// pass opens the gate after a good answer, unless that is to a write that began
// before the server asked to wait.
func (g *gate) pass(now time.Time, wasProbe bool) {
	if g.closed() && (wasProbe || !now.Before(g.retryAfter)) {
		g.open()
	}
}

func (g *gate) open() { *g = gate{maxWait: g.maxWait} }

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
