// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"time"

	"github.com/eventseries/eventseries/internal/highest"
	"github.com/eventseries/eventseries/internal/request"
)

// State is a copy of what a writer does, for a person who looks for a fault.
type State[T any] struct {
	Server     Gate          // closed by what only the server can mean
	Pressure   Gate          // closed when several namespaces were asked to wait in a row
	Namespaces []Namespace   // at most as many as were asked for
	Queues     int           // how many namespaces have something waiting or in flight, or a closed gate
	Waiting    int           // items in all queues
	InFlight   []InFlight[T] // the attempts under way
}

// Gate is a copy of a gate. The zero Gate is open.
type Gate struct {
	Closed    bool
	Failures  int       // in a row, that closed it and kept it closed
	OpensAt   time.Time // when it lets a probe through; zero if it is open
	Probing   bool      // the probe is under way
	LastError string    // the words of the last one
}

// Namespace is a copy of a namespace's queue.
type Namespace struct {
	Name       string
	Suspect    bool // writes in it may hang or fail
	Waiting    int  // items in the queue
	InFlight   int
	Gate       Gate // for every write
	CreateGate Gate // for creates only
}

// InFlight is an attempt under way.
type InFlight[T any] struct {
	Item T
	For  time.Duration // since it began
}

// Inspect returns the state. Of the namespaces it has at most n: those with a closed
// gate first, then the suspect ones, then the longest queues.
func (w *Writer[T]) Inspect(n int) State[T] {
	longest := highest.New[Namespace](n)
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
		if rank > 0 && longest.Admits(rank, order) {
			longest.Add(rank, order, q.state())
		}
	}
	s := State[T]{
		Server: w.server.state(), Pressure: w.pressure.state(), Namespaces: longest.Values(),
		Queues: len(w.order) - w.kept, Waiting: w.waiting,
	}
	for _, k := range w.running {
		if k.job.id != 0 {
			s.InFlight = append(s.InFlight, InFlight[T]{k.job.item, time.Since(k.began)})
		}
	}
	return s
}

// MaxLastErrors bounds the namespaces of a state that is made for LastError.
const MaxLastErrors = 1024

// LastError returns the last bad answer to writes in a namespace that is in the state. It
// is empty if nothing holds them up but their number.
func (s *State[T]) LastError(namespace string) string {
	gates := []Gate{s.Server, s.Pressure}
	for _, q := range s.Namespaces {
		if q.Name != namespace {
			continue
		}
		gates = append(gates, q.Gate, q.CreateGate)
		if q.Suspect {
			gates = append(gates, Gate{Closed: true, LastError: "none"})
		}
	}
	for _, g := range gates {
		if g.Closed && g.LastError != "" {
			return g.LastError
		}
	}
	return ""
}

// What ranks above every length of a queue.
const (
	suspectRank = 1 << 40
	closedRank  = 1 << 41
)

// Hold is what an item in a queue waits for.
type Hold string

// What an item in a queue waits for.
const (
	ForWorker    Hold = "Worker"        // its turn
	ForServer    Hold = "ServerGate"    // the server's gate
	ForPressure  Hold = "PressureGate"  // the gate of several namespaces that were asked to wait
	ForNamespace Hold = "NamespaceGate" // the gate of its namespace
	ForCreates   Hold = "CreateGate"    // the gate for creates in its namespace
	ForSuspect   Hold = "OneAtATime"    // the one write that its suspect namespace may have under way
)

// WaitsFor returns what an item that needs op in namespace waits for, if it is in a
// queue. until is when a gate lets a write through at the earliest, zero while its probe
// is under way.
func (w *Writer[T]) WaitsFor(namespace string, op request.Op) (hold Hold, until time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	q := w.queues[namespace]
	switch {
	case w.server.closed():
		return ForServer, w.server.nextProbe()
	case w.pressure.closed():
		return ForPressure, w.pressure.nextProbe()
	case q == nil:
		return ForWorker, time.Time{}
	case q.all.closed():
		return ForNamespace, q.all.nextProbe()
	case op == request.Create && q.create.closed():
		return ForCreates, q.create.nextProbe()
	case q.suspect() && q.inFlight > 0:
		return ForSuspect, time.Time{}
	}
	return ForWorker, time.Time{}
}

func (g *gate) nextProbe() time.Time {
	if g.probe != 0 {
		return time.Time{}
	}
	return g.until
}

func (q *namespaceQueue[T]) state() Namespace {
	return Namespace{
		Name: q.namespace, Suspect: q.suspect(), Waiting: q.waiting, InFlight: q.inFlight,
		Gate: q.all.state(), CreateGate: q.create.state(),
	}
}

func (g *gate) state() Gate {
	return Gate{
		Closed: g.closed(), Failures: g.failures, OpensAt: g.until, Probing: g.probe != 0, LastError: g.lastError,
	}
}
