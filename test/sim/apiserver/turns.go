// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import "slices"

// leaver is a client that has given up and waits for its turn.
type leaver struct {
	request *Request
	turn    chan struct{}
}

// TakeTurns makes clients that give up wait until [Server.Release] lets them go on. Requests that were sent together
// end together when they take too long, and what their senders do next would be in no order.
func (s *Server) TakeTurns() { s.set(func() { s.turns = true }) }

// Release lets the first client that has given up go on, in the order of [Server.Waiting], and reports whether there
// was one.
func (s *Server) Release() (released bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.leaving) == 0 {
		return false
	}
	first := slices.MinFunc(s.leaving, func(a, b *leaver) int { return a.request.compare(b.request) })
	s.leaving = slices.DeleteFunc(s.leaving, func(l *leaver) bool { return l == first })
	close(first.turn)
	return true
}

// leave returns what r's client does before it goes on. The caller holds s.mu.
func (s *Server) leave(r *Request) (wait func()) {
	if !s.turns {
		return func() {}
	}
	l := &leaver{request: r, turn: make(chan struct{})}
	s.leaving = append(s.leaving, l)
	select {
	case s.arrived <- struct{}{}:
	default:
	}
	return func() { <-l.turn }
}
