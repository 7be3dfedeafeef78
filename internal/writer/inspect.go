// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"cmp"
	"slices"
	"time"
)

// State is a copy of what a writer does, for a person who looks for a fault.
type State struct {
	Window int     // how many writes may be under way
	Rate   float32 // how many requests a second the client allows, 0 if that is not known
	// Gates are that of the server, and those of namespaces that have something waiting or
	// under way, or fail: those that failed most often in a row first, then the longest queues.
	Gates []Gate
}

// Gate is a copy of a gate, with the queue behind it.
type Gate struct {
	Namespace string    // empty for that of the server
	Closed    bool      // no write passes but a probe
	Failures  int       // in a row, that closed it and kept it closed
	OpensAt   time.Time // when it lets a probe through; zero if it is open
	Probing   bool      // the probe is under way
	LastError string    // the words of the last failure
	Failing   bool      // writes in the namespace hang or fail
	Waiting   int       // items in the queue
	InFlight  int
}

// Inspect returns the state.
func (w *Writer[T]) Inspect() State {
	w.mu.Lock()
	defer w.mu.Unlock()
	server := Gate{Waiting: w.waiting, InFlight: len(w.underway), Probing: w.probing != 0}
	s := State{Window: w.window.limit, Gates: []Gate{w.server.describe(server)}}
	if l, ok := w.limiter.(interface{ QPS() float32 }); ok {
		s.Rate = l.QPS()
	}
	for _, ns := range w.sortedLocked() {
		if ns.idle() && ns.health < inDoubt {
			continue
		}
		g := ns.gate.describe(Gate{
			Namespace: ns.name, Failing: ns.health == failing, Waiting: ns.waiting(), InFlight: ns.underway,
			Probing: ns.health == failing && ns.underway > 0,
		})
		if ns.health >= inDoubt {
			g.LastError = cmp.Or(g.LastError, "none")
		}
		s.Gates = append(s.Gates, g)
	}
	slices.SortStableFunc(s.Gates[1:], func(a, b Gate) int {
		return cmp.Or(b.Failures-a.Failures, b.Waiting+b.InFlight-a.Waiting-a.InFlight)
	})
	return s
}

func (g *gate) describe(as Gate) Gate {
	as.Closed, as.Failures, as.OpensAt, as.LastError = g.closed(), g.failures, g.until, g.lastError
	return as
}

// Of returns the gate that the writes in a namespace meet: that of the server if it is closed,
// else its own. The zero Gate holds nothing up.
func (s *State) Of(namespace string) Gate {
	for _, g := range s.Gates {
		if g.Namespace == "" && g.Closed || g.Namespace == namespace {
			return g
		}
	}
	return Gate{}
}
