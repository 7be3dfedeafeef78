// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"cmp"
	"slices"
	"time"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/timing"
)

// gate is the one back-off mechanism: closed, it holds writes back until a time, and then
// lets one probe through. A good answer opens it, a bad one doubles the wait. The zero gate
// is open.
type gate struct {
	// failures counts the bad answer that closed the gate, and each probe that failed since.
	failures int
	// pause is the last back-off.
	pause time.Duration
	until time.Time
	// lastError has the words of the last bad answer, for a person.
	lastError string
}

func (g *gate) closed() bool { return g.failures > 0 }

// admits reports whether a write may pass at now.
func (g *gate) admits(now time.Time) bool { return !now.Before(g.until) }

// shut closes the gate after a bad answer, for as long as the server asked to wait, at
// least. jitter spreads the rest. Writes that were in flight when it closed report the same
// fault once more, so only an answer after the back-off doubles it.
func (g *gate) shut(now time.Time, v request.Verdict, jitter func(time.Duration) time.Duration) {
	g.lastError = cmp.Or(v.Error, g.lastError)
	if g.admits(now) {
		g.failures++
		g.pause = max(v.Wait, jitter(timing.GateBackoff.After(g.failures)))
		g.until = now.Add(g.pause)
	}
	if asked := now.Add(v.Wait); asked.After(g.until) {
		g.until = asked
	}
}

// describe adds the state of the gate to a copy of it.
func (g *gate) describe(to Gate) Gate {
	to.Closed = g.closed()
	to.Failures = g.failures
	to.OpensAt = g.until
	to.LastError = g.lastError
	return to
}

// serverGate is the gate of everything. Only one write at a time probes a server that nobody reaches. It may hang for a
// reason of its namespace, and all others must not wait for it. So a probe that is slow opens the gate: it was not
// refused, and so it has reached a server. Some networks take seconds to refuse, as where there is no route to a host.
// After a slow probe was refused, slowness opens the gate no more until a write reaches the server, so that the
// back-off of such an outage grows.
type serverGate struct {
	gate
	// probe is the job that finds out whether the server is back, 0 for none.
	probe uint64
	// slowMayBeRefused says that the last slow probe was refused after all.
	slowMayBeRefused bool
}

// open lets all writes pass, because a write has reached the server. A probe is not awaited any more.
func (g *serverGate) open() { *g = serverGate{} }

// probing reports whether the answer of a probe must be awaited.
func (g *serverGate) probing() bool { return g.closed() && g.probe != 0 }

// began notes that a job has begun, which is the probe if the gate is closed.
func (g *serverGate) began(job uint64) {
	if g.closed() {
		g.probe = job
	}
}

// openIfProbe opens the gate if job, which is slow, is the probe of a closed gate, and reports whether it did.
func (g *serverGate) openIfProbe(job uint64) (opened bool) {
	if !g.closed() || job != g.probe || g.slowMayBeRefused {
		return false
	}
	g.open()
	return true
}

// ended notes the end of a job. hasOpened says that it was a slow probe, and reached is false if its answer says that
// the server cannot be reached.
func (g *serverGate) ended(job uint64, hasOpened, reached bool) {
	if job == g.probe {
		g.probe = 0
	}
	if hasOpened && !reached {
		g.slowMayBeRefused = true
	}
}

// namespace is what waits in one namespace, and how its last writes went.
type namespace[T Item] struct {
	name     string
	items    [request.Classes]fifo[T]
	inFlight int
	record
	// gate is closed while the namespace is failing, or when the server asked to wait.
	gate gate
	// lastServed is the last job of each class.
	lastServed [request.Classes]uint64
	heapIndex  heapIndex
}

func newNamespace[T Item](name string) *namespace[T] {
	return &namespace[T]{name: name, heapIndex: newHeapIndex()}
}

// waiting is how many items wait in the namespace.
func (ns *namespace[T]) waiting() (n int) {
	for class := range ns.items {
		n += ns.items[class].len()
	}
	return n
}

// idle reports whether nothing waits in the namespace or is in flight.
func (ns *namespace[T]) idle() bool { return ns.inFlight == 0 && ns.waiting() == 0 }

// hold closes the gate of the namespace after a bad answer, if it is failing or the server asked to wait.
func (ns *namespace[T]) hold(now time.Time, v request.Verdict, jitter func(time.Duration) time.Duration) {
	ns.gate.lastError = cmp.Or(v.Error, ns.gate.lastError)
	if ns.health == failing || v.Wait > 0 {
		ns.gate.shut(now, v, jitter)
	}
}

// evictable reports whether nothing would be forgotten with the namespace. lastID is the last job of all. A namespace
// that goes on failing must not begin with short waits again, and one that was written a moment ago must not have its
// turn before those that wait.
func (ns *namespace[T]) evictable(now time.Time, lastID uint64) bool {
	served := slices.Max(ns.lastServed[:])
	longAgo := now.Add(-timing.GateBackoff.Longest)
	return ns.idle() && ns.gate.admits(longAgo) && (served == 0 || served+minSweep/2 < lastID)
}

// share is how many writes the namespace may have in flight.
func (ns *namespace[T]) share(w *window) int {
	switch {
	case ns.health != healthy:
		return 1
	case w.ending:
		return w.limit
	}
	return max(1, w.limit/2)
}

// probe returns the class of the next write while the namespace is failing, and whether the
// newest item of it is to be taken. Items that have not failed come first, and of these the newest,
// because those before it may be the ones that fail. Items that have failed take turns.
func (ns *namespace[T]) probe() (class request.Class, newest bool) {
	failed := request.NoWrite
	for c := request.FirstWarning; c < request.Classes; c++ {
		items := &ns.items[c]
		switch {
		case items.len() == 0:
		case !c.HasFailed() && (class == request.NoWrite || items.last().number > ns.items[class].last().number):
			class = c
		case c.HasFailed() && (failed == request.NoWrite || items.first().number < ns.items[failed].first().number):
			failed = c
		}
	}
	if class == request.NoWrite {
		return failed, false
	}
	return class, true
}
