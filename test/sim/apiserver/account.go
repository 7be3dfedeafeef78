// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"maps"
	"slices"
)

// Call is a kind of request, for counting.
type Call struct {
	Component, Verb, Group, Resource string
	// Code is the server's, 0 of what never reached it.
	Code int
	// Delivered tells whether the client got that answer.
	Delivered bool
}

// Calls returns how many requests of each kind have ended.
func (s *Server) Calls() map[Call]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.calls)
}

// Objects returns every event that was ever stored, in the order of their first writes.
func (s *Server) Objects() []Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ledger.expire(s.now())
	late := make(map[*record]int32)
	for _, r := range s.waiting {
		if about := s.ledger.records[r.key()]; r.gaveUp && about != nil {
			late[about] = max(late[about], r.count)
		}
	}
	objects := make([]Object, len(s.ledger.order))
	for i, r := range s.ledger.order {
		objects[i] = r.Object
		objects[i].Ambiguous = max(r.Ambiguous, late[r])
	}
	return objects
}

// AckedLegacy returns how many writes of old-style events a component knows to be stored. Each is one occurrence.
func (s *Server) AckedLegacy(component string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ackedLegacy[component]
}

// Violations returns what a client did that no well-behaved one does, in the order in which it happened.
func (s *Server) Violations() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.violations)
}

// record enters the end of a request into the books. The caller holds s.mu.
func (s *Server) record(r *Request, a answer) {
	s.calls[Call{r.component, r.verb, r.group, r.resource, a.code, a.err == nil && !r.gaveUp}]++
	if r.resource != events {
		return
	}
	if lowered := s.ledger.book(r, a, s.now()); lowered > 0 && !r.legacy {
		s.violate("I3: %s took %d from a live event", r, lowered)
	}
	known := a.isSuccess() || a.isDuplicate() && r.verb == "create"
	if r.legacy && known && !r.gaveUp {
		s.ackedLegacy[r.component]++
	}
}

// unpark takes r off the queue. It panics if it has ended before.
func (s *Server) unpark(r *Request) {
	i := slices.Index(s.waiting, r)
	if i < 0 {
		panic("apiserver: " + r.line + " has ended already")
	}
	s.waiting = slices.Delete(s.waiting, i, i+1)
}
