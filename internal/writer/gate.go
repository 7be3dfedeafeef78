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
	failures  int           // in a row: what closed it, and each probe since
	pause     time.Duration // the last back-off
	until     time.Time
	lastError string // the words of the last bad answer, for a person
}

func (g *gate) closed() bool { return g.failures > 0 }

// admits reports whether a write may pass at now.
func (g *gate) admits(now time.Time) bool { return !now.Before(g.until) }

// shut closes the gate after a bad answer, for as long as the server asked to wait, at
// least. jitter spreads the rest. Writes that were under way when it closed report the same
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

// namespace is what waits in one namespace, and how its last writes went.
type namespace[T Item] struct {
	name     string
	items    [request.Classes]fifo[T]
	underway int
	record                           // how its last writes went
	gate     gate                    // closed while it is failing, or when the server asked to wait
	served   [request.Classes]uint64 // the last of its writes, by class
	in       uint                    // the heaps of ready that have it, as bits
	places   [places]int32           // in them
}

// The places of a namespace in the heaps of ready.
const (
	oldest  = 0                             // and one for each class
	turns   = oldest + int(request.Classes) // and one for each class
	probes  = turns + int(request.Classes)  // of those that are failing
	delayed = probes + 1                    // of those that wait for a time
	places  = delayed + 1
)

// waiting is how many items wait in the namespace.
func (ns *namespace[T]) waiting() (n int) {
	for class := range ns.items {
		n += ns.items[class].len()
	}
	return n
}

// idle reports whether nothing waits in the namespace or is under way.
func (ns *namespace[T]) idle() bool { return ns.underway == 0 && ns.waiting() == 0 }

// hold closes the gate of the namespace after a bad answer, if it is failing or the server asked to wait.
func (ns *namespace[T]) hold(now time.Time, v request.Verdict, jitter func(time.Duration) time.Duration) {
	ns.gate.lastError = cmp.Or(v.Error, ns.gate.lastError)
	if ns.health == failing || v.Wait > 0 {
		ns.gate.shut(now, v, jitter)
	}
}

// forgettable reports whether nothing would be forgotten with the namespace after begun
// writes: one that goes on failing must not begin with short waits again, and one that was
// written a moment ago must not have its turn before those that wait.
func (ns *namespace[T]) forgettable(now time.Time, begun uint64) bool {
	served := slices.Max(ns.served[:])
	longAgo := now.Add(-timing.GateBackoff.Longest)
	return ns.idle() && ns.gate.admits(longAgo) && (served == 0 || served+minSweep/2 < begun)
}

// share is how many writes the namespace may have under way.
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
// newest item of it is to be taken. What has not failed comes first, and of that the newest,
// since those before it may be what fails. What has failed takes turns.
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
