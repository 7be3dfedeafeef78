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

// gate is the back-off of the server or of a namespace. A closed gate holds all writes back until a
// certain time, and then lets one write through, the probe. A good answer opens the gate; a bad
// answer doubles the wait. The zero gate is open.
type gate struct {
	// failures is the number of bad answers in a row: the one that closed the gate, and every
	// failed probe since.
	failures int
	// pause is the length of the last back-off.
	pause time.Duration
	until time.Time
	// lastError is the text of the last bad answer, for diagnostics.
	lastError string
}

func (g *gate) closed() bool { return g.failures > 0 }

// admits reports whether the gate lets a write through at the time now.
func (g *gate) admits(now time.Time) bool { return !now.Before(g.until) }

// shut closes the gate after a bad answer, for at least as long as the server asked to wait. The
// back-off itself is jittered. Writes that were already in flight only repeat the same fault, so
// the back-off doubles only with a bad answer that comes after it has ended.
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

// describe returns snapshot after setting the fields that follow from the state of the gate.
func (g *gate) describe(snapshot Gate) Gate {
	snapshot.Closed = g.closed()
	snapshot.Failures = g.failures
	snapshot.OpensAt = g.until
	snapshot.LastError = g.lastError
	return snapshot
}

// serverGate is the gate for all writes. While the server is unreachable, only one write at a time
// probes it. This probe may hang because of its namespace, and the other writes must not wait for
// it. So a slow probe opens the gate: because it was not refused at once, it has probably reached a
// server.
//
// Some networks take seconds to refuse a connection, for example if there is no route to a host. So
// after a slow probe was refused in the end, slow probes no longer open the gate until a write has
// reached the server. This lets the back-off grow during such an outage.
type serverGate struct {
	gate
	// probe is the ID of the job that finds out whether the server is back, or 0 if there is none.
	probe uint64
	// slowMayBeRefused is true if the last slow probe was refused in the end.
	slowMayBeRefused bool
}

// open lets all writes pass, because a write has reached the server. The gate no longer waits for
// the answer to a probe.
func (g *serverGate) open() { *g = serverGate{} }

// probing reports whether the gate is waiting for the answer to a probe.
func (g *serverGate) probing() bool { return g.closed() && g.probe != 0 }

// began records that a job has begun. If the gate is closed, that job is the probe.
func (g *serverGate) began(job uint64) {
	if g.closed() {
		g.probe = job
	}
}

// openIfProbe opens the gate if the given job, which is slow, is the probe of the closed gate,
// unless the last slow probe was refused in the end. It reports whether it opened the gate.
func (g *serverGate) openIfProbe(job uint64) (opened bool) {
	if !g.closed() || job != g.probe || g.slowMayBeRefused {
		return false
	}
	g.open()
	return true
}

// ended records the end of a job. hasOpened is true if the job was a slow probe that opened the
// gate. reached is false if the result of the job is [unreachable]: the write did not reach the
// server, or the server refuses all writes.
func (g *serverGate) ended(job uint64, hasOpened, reached bool) {
	if job == g.probe {
		g.probe = 0
	}
	if hasOpened && !reached {
		g.slowMayBeRefused = true
	}
}

// namespace holds the waiting items of one namespace, and the record of its last writes.
type namespace[T Item] struct {
	name     string
	items    [request.Classes]fifo[T]
	inFlight int
	record
	// gate is closed while the namespace is failing, or if the server asked to wait.
	gate gate
	// lastServed is the ID of the last job of each class.
	lastServed [request.Classes]uint64
	heapIndex  heapIndex
}

func newNamespace[T Item](name string) *namespace[T] {
	return &namespace[T]{name: name, heapIndex: newHeapIndex()}
}

// waiting returns the number of items that wait in the namespace.
func (ns *namespace[T]) waiting() (n int) {
	for class := range ns.items {
		n += ns.items[class].len()
	}
	return n
}

// idle reports whether the namespace has no items waiting or in flight.
func (ns *namespace[T]) idle() bool { return ns.inFlight == 0 && ns.waiting() == 0 }

// hold closes the gate of the namespace after a bad answer, if the namespace is failing or the
// server asked to wait.
func (ns *namespace[T]) hold(now time.Time, v request.Verdict, jitter func(time.Duration) time.Duration) {
	ns.gate.lastError = cmp.Or(v.Error, ns.gate.lastError)
	if ns.health == failing || v.Wait > 0 {
		ns.gate.shut(now, v, jitter)
	}
}

// evictable reports whether the namespace can be forgotten without a loss of information. lastID is
// the ID of the newest job. A failing namespace is kept so that its waits do not become short
// again. A recently written namespace is kept so that it does not get a turn before the namespaces
// that wait.
func (ns *namespace[T]) evictable(now time.Time, lastID uint64) bool {
	served := slices.Max(ns.lastServed[:])
	longAgo := now.Add(-timing.GateBackoff.Longest)
	return ns.idle() && ns.gate.admits(longAgo) && (served == 0 || served+minSweep/2 < lastID)
}

// share returns the number of writes that the namespace may have in flight.
func (ns *namespace[T]) share(w *window) int {
	switch {
	case ns.health != healthy:
		return 1
	case w.ending:
		return w.limit
	}
	return max(1, w.limit/2)
}

// probe returns the class of the next write of a failing namespace, and reports whether its newest
// item is to be taken. Items that have not failed come first, beginning with the newest one,
// because the older ones may be the cause of the failures. Items that have failed take turns.
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
