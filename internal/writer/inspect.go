// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"time"

	"github.com/eventseries/eventseries/internal/highest"
)

// State is a copy of what a writer does, for a person who looks for a fault.
type State[T any] struct {
	Gates    []Gate        // those of the server, and of at most as many namespaces as were asked for
	Queues   int           // how many namespaces have something waiting or in flight, or a closed gate
	Waiting  int           // items in all queues
	InFlight []InFlight[T] // the attempts under way
}

// Gate is a copy of a gate, with the queue behind it.
type Gate struct {
	Namespace string    // empty for those of the server
	For       string    // the writes that it is for, in words
	Closed    bool      // no write passes but a probe
	Failures  int       // in a row, that closed it and kept it closed
	OpensAt   time.Time // when it lets a probe through; zero if it is open
	Probing   bool      // the probe is under way
	LastError string    // the words of the last failure
	Suspect   bool      // writes in the namespace may hang or fail
	Waiting   int       // items in the queue
	InFlight  int
}

// What a gate is for.
const (
	allWrites    = "all writes"
	newEvents    = "new Events" // while their namespace is being deleted
	afterSeveral = "all writes, because several namespaces were asked to wait"
	noAnswer     = "none"
	suspectRank  = 1 << 40 // above every length of a queue
	closedRank   = 1 << 41
)

// InFlight is an attempt under way.
type InFlight[T any] struct {
	Item T
	For  time.Duration // since it began
}

// Inspect returns the state. Of the namespaces it has at most n: those with a closed
// gate first, then the suspect ones, then the longest queues. The gate for all writes to the
// server is the first one.
func (w *Writer[T]) Inspect(n int) State[T] {
	longest := highest.New[*namespaceQueue[T]](n)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, q := range w.order {
		rank, order := int64(q.waiting+q.inFlight), int64(q.index)
		if q.suspect() {
			rank += suspectRank
		}
		if q.closed() {
			rank += closedRank
		}
		if rank > 0 {
			longest.Add(rank, order, func() *namespaceQueue[T] { return q })
		}
	}
	s := State[T]{Queues: len(w.order) - w.kept, Waiting: w.waiting}
	for _, k := range w.running {
		if k.job.id != 0 {
			s.InFlight = append(s.InFlight, InFlight[T]{k.job.item, time.Since(k.began)})
		}
	}
	server := w.server.state("", allWrites)
	server.Waiting, server.InFlight = w.waiting, len(s.InFlight)
	s.Gates = append(s.Gates, server)
	if w.pressure.closed() {
		s.Gates = append(s.Gates, w.pressure.state("", afterSeveral))
	}
	for _, q := range longest.Values() {
		all, create := q.all.state(q.namespace, allWrites), q.create.state(q.namespace, newEvents)
		all.Suspect, all.Waiting, all.InFlight = q.suspect(), q.waiting, q.inFlight
		if s.Gates = append(s.Gates, all); create.Closed {
			s.Gates = append(s.Gates, create)
		}
	}
	return s
}

func (g *gate) state(namespace, writes string) Gate {
	return Gate{
		Namespace: namespace, For: writes,
		Closed: g.closed(), Failures: g.failures, OpensAt: g.until, Probing: g.probe != 0, LastError: g.lastError,
	}
}

// MaxLastErrors bounds the namespaces of a state that is made for LastError.
const MaxLastErrors = 1024

// LastError returns the last bad answer to writes in a namespace that is in the state. It
// is empty if nothing holds them up but their number.
func (s *State[T]) LastError(namespace string) string {
	for _, g := range s.Gates {
		switch {
		case g.Namespace != "" && g.Namespace != namespace:
		case g.Closed && g.LastError != "":
			return g.LastError
		case g.Suspect:
			return noAnswer
		}
	}
	return ""
}

// Hold is what an item in a queue waits for.
type Hold int

// What an item in a queue waits for.
const (
	ForTurn      Hold = iota // others are written first
	ForServer                // a gate of the server
	ForNamespace             // a gate of its namespace, or the one write that a suspect namespace may have under way
)

// WaitsFor returns what an item of namespace waits for, if it is in a queue; create says that
// it needs a Create. until is when a gate lets a write through at the earliest, zero while its
// probe is under way.
func (w *Writer[T]) WaitsFor(namespace string, create bool) (hold Hold, until time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, g := range []*gate{&w.server, &w.pressure} {
		if g.closed() {
			return ForServer, g.nextProbe()
		}
	}
	q := w.queues[namespace]
	switch {
	case q == nil:
		return ForTurn, time.Time{}
	case q.all.closed():
		return ForNamespace, q.all.nextProbe()
	case create && q.create.closed():
		return ForNamespace, q.create.nextProbe()
	case q.suspect() && q.inFlight > 0:
		return ForNamespace, time.Time{}
	}
	return ForTurn, time.Time{}
}

func (g *gate) nextProbe() time.Time {
	if g.probe != 0 {
		return time.Time{}
	}
	return g.until
}
