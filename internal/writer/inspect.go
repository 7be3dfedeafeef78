// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"cmp"
	"time"

	"github.com/eventseries/eventseries/internal/highest"
)

// State is a copy of what a writer does, for a person who looks for a fault.
type State[T any] struct {
	Window   int           // how many writes may be under way
	Gates    []Gate        // that of the server, and of at most as many namespaces as were asked for
	Queues   int           // how many namespaces have something waiting or under way, or fail
	InFlight []InFlight[T] // the writes under way
}

// Gate is a copy of a gate, with the queue behind it.
type Gate struct {
	Namespace string    // empty for that of the server
	For       string    // the writes that it is for, in words
	Closed    bool      // no write passes but a probe
	Failures  int       // in a row, that closed it and kept it closed
	OpensAt   time.Time // when it lets a probe through; zero if it is open
	Probing   bool      // the probe is under way
	LastError string    // the words of the last failure
	Failing   bool      // writes in the namespace hang or fail
	Waiting   int       // items in the queue
	InFlight  int
}

// What a gate is for.
const (
	allWrites   = "all writes"
	newEvents   = "new Events" // while their namespace is being deleted
	failingRank = 1 << 40      // above every length of a queue
)

// InFlight is a write under way.
type InFlight[T any] struct {
	Item T
	For  time.Duration // since it began
}

// Inspect returns the state. Of the namespaces it has at most n: those that fail first, then
// the longest queues. The gate of the server is the first one.
func (w *Writer[T]) Inspect(n int) State[T] {
	longest := highest.New[*namespace[T]](n)
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.config.Clock.Now()
	server := Gate{For: allWrites, Waiting: w.waiting, InFlight: len(w.underway), Probing: w.probing != 0}
	s := State[T]{Window: w.window.limit, Gates: []Gate{w.server.describe(server)}}
	for i, ns := range w.sortedLocked() {
		rank := int64(ns.waiting + ns.underway)
		if ns.inDoubt || !ns.admitsCreates(now) {
			rank += failingRank
		}
		if rank > 0 {
			s.Queues++
			longest.Add(rank, int64(i), func() *namespace[T] { return ns })
		}
	}
	for _, j := range w.underway {
		s.InFlight = append(s.InFlight, InFlight[T]{j.item, time.Since(j.began)})
	}
	for _, ns := range longest.Values() {
		s.Gates = append(s.Gates, ns.gate.describe(Gate{
			Namespace: ns.name, For: allWrites, Failing: ns.failing, Waiting: ns.waiting, InFlight: ns.underway,
			Probing: ns.failing && ns.underway > 0,
		}))
		if !ns.admitsCreates(now) {
			s.Gates = append(s.Gates, Gate{Namespace: ns.name, For: newEvents, Closed: true, OpensAt: ns.creates})
		}
	}
	return s
}

func (g *gate) describe(as Gate) Gate {
	as.Closed, as.Failures, as.OpensAt, as.LastError = g.closed(), g.failures, g.until, g.lastError
	return as
}

// LastError returns the last bad answer to writes in a namespace, "none" if there was no
// answer. It is empty if nothing holds them up but their number.
func (w *Writer[T]) LastError(namespace string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.server.closed() {
		return w.server.lastError
	}
	switch ns := w.namespaces[namespace]; {
	case ns == nil || !ns.inDoubt:
		return ""
	default:
		return cmp.Or(ns.gate.lastError, "none")
	}
}

// Rate is how many requests a second the client allows, 0 if that is not known.
func (w *Writer[T]) Rate() float32 {
	w.mu.Lock()
	defer w.mu.Unlock()
	if l, ok := w.limiter.(interface{ QPS() float32 }); ok {
		return l.QPS()
	}
	return 0
}

// Hold is what an item in a queue waits for.
type Hold int

// What an item in a queue waits for.
const (
	ForTurn      Hold = iota // others are written first
	ForServer                // the gate of the server
	ForNamespace             // that of its namespace, or the one write that may be under way there
)

// WaitsFor returns what an item waits for that is in the queue of a namespace; create says
// that it needs a Create. until is when a gate lets a write through at the earliest, zero
// while its probe is under way.
func (w *Writer[T]) WaitsFor(namespace string, create bool) (hold Hold, until time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.config.Clock.Now()
	ns := w.namespaces[namespace]
	switch {
	case w.server.closed() && w.probing != 0:
		return ForServer, time.Time{}
	case w.server.closed():
		return ForServer, w.server.until
	case ns == nil:
		return ForTurn, time.Time{}
	case ns.failing && ns.underway > 0:
		return ForNamespace, time.Time{}
	case ns.gate.closed():
		return ForNamespace, ns.gate.until
	case create && !ns.admitsCreates(now):
		return ForNamespace, ns.creates
	}
	return ForTurn, time.Time{}
}
