// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"cmp"
	"time"

	"github.com/eventseries/eventseries/internal/request"
)

// The back-off of a gate. The first wait is short because most faults are a connection
// that broke once. The longest spares a server that restarts, and still delivers within
// half a minute of its return.
const (
	firstWait   = 250 * time.Millisecond
	longestWait = 30 * time.Second
)

// gate is the one back-off mechanism: closed, it holds writes back until a time, and then
// lets one probe through. A good answer opens it, a bad one doubles the wait. The zero gate
// is open.
type gate struct {
	wait      time.Duration // the last back-off before jitter; 0 when open
	pause     time.Duration // the last one with it
	failures  int           // in a row: what closed it, and each probe since
	until     time.Time
	asked     time.Time // until when the server itself asked to wait
	lastError string    // the words of the last bad answer, for a person
}

func (g *gate) closed() bool { return g.wait > 0 }

// admits reports whether a write may pass at now.
func (g *gate) admits(now time.Time) bool { return !now.Before(g.until) }

// shut closes the gate after a bad answer, for as long as the server asked to wait, at
// least. jitter spreads the rest. Writes that were under way when it closed report the same
// fault once more, so only an answer after the back-off doubles it.
func (g *gate) shut(now time.Time, v request.Verdict, jitter func(time.Duration) time.Duration) {
	g.lastError = cmp.Or(v.Error, g.lastError)
	g.asked = later(g.asked, now.Add(v.Wait))
	if g.admits(now) {
		g.wait = min(max(2*g.wait, firstWait), longestWait)
		g.pause = max(v.Wait, jitter(g.wait))
		g.failures++
		g.until = now.Add(g.pause)
	}
	g.until = later(g.until, g.asked)
}

// pass opens the gate after a good answer, unless that is to a write that began before the
// server asked to wait.
func (g *gate) pass(now time.Time) {
	if !now.Before(g.asked) {
		*g = gate{}
	}
}

// hurry ends the back-off, and nothing else: the next write is a probe.
func (g *gate) hurry() { g.until, g.asked = time.Time{}, time.Time{} }

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
