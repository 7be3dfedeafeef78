// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/events/eventstest"
)

// Server is a modelled kube-apiserver. Every client may do everything, all namespaces are active, events.k8s.io/v1 is
// served and events have a TTL of an hour, unless the driver changes that.
type Server struct {
	now     func() time.Time
	arrived chan struct{}
	storage *eventstest.Clientset // used after authorization, routing and namespaces

	mu          sync.Mutex // guards everything below
	waiting     []*Request
	turns       bool
	leaving     []*waitingClient
	sequence    int
	served      bool
	groupKnown  bool
	retryAfter  int
	reviewsFail bool
	rbac        rbac
	namespaces  map[string]NamespaceState
	history     history
	calls       map[Call]int
	ackedLegacy map[string]int64
	violations  []string
}

// New returns a server with the clock now.
func New(now func() time.Time) *Server {
	s := &Server{
		now:         now,
		arrived:     make(chan struct{}, 1),
		storage:     eventstest.NewClientset(),
		served:      true,
		retryAfter:  1,
		rbac:        make(rbac),
		namespaces:  make(map[string]NamespaceState),
		history:     newHistory(),
		calls:       make(map[Call]int),
		ackedLegacy: make(map[string]int64),
	}
	s.storage.DiscardActions()
	s.storage.SetClock(passiveClock(now))
	s.storage.SetTTL(s.history.ttl)
	return s
}

// Client returns a clientset for one component, without a rate limit. It panics if client-go returns an error.
func (s *Server) Client(userAgent string) kubernetes.Interface {
	return s.LimitedClient(userAgent, -1, 0)
}

// LimitedClient is Client with client-go's own rate limit in front of the server: qps requests a second, burst at once.
func (s *Server) LimitedClient(userAgent string, qps float32, burst int) kubernetes.Interface {
	config := &rest.Config{
		Host: "http://apiserver", UserAgent: userAgent, QPS: qps, Burst: burst,
		ContentConfig: rest.ContentConfig{ContentType: "application/json"}, // the model decodes nothing else
	}
	client, err := kubernetes.NewForConfigAndClient(config, &http.Client{Transport: transport{s, userAgent}})
	if err != nil {
		panic(err)
	}
	return client
}

// Arrived returns a channel that holds a token after a request was enqueued. It is never closed.
func (s *Server) Arrived() <-chan struct{} { return s.arrived }

// Waiting returns the waiting requests, sorted by their String. The order of arrival and generated names matter only
// for equal requests. The result includes requests that their clients have given up.
func (s *Server) Waiting() []*Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	sorted := slices.Clone(s.waiting)
	slices.SortFunc(sorted, (*Request).compare)
	return sorted
}

// compare orders requests. Generated names are in the order of their series, and requests for one name in the order of
// arrival.
func (r *Request) compare(other *Request) int {
	return cmp.Or(
		cmp.Compare(r.line, other.line), cmp.Compare(r.name, other.name), cmp.Compare(r.sequence, other.sequence))
}

// enqueue adds a request, which waits for the driver.
func (s *Server) enqueue(a *query) *Request {
	r := &Request{query: a, server: s, answer: make(chan answer, 1), arrivedAt: s.now()}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history.register(a)
	s.checkArrival(r)
	s.sequence++
	r.sequence = s.sequence
	s.waiting = append(s.waiting, r)
	select {
	case s.arrived <- struct{}{}:
	default:
	}
	return r
}

// checkArrival checks that a writer has one request for an event at a time, and creates it before it patches it.
// Package legacy is an exception, because its correlator, as client-go's, also patches events that were never created.
func (s *Server) checkArrival(r *Request) {
	if r.resource != events {
		return
	}
	for _, other := range s.waiting {
		if other.resource == events && other.key() == r.key() && !other.gaveUp {
			s.violate("I3: %s while its client waits for %s", r, other)
		}
	}
	if r.verb == "patch" && !r.legacy && !s.history.acknowledged(r.key()) {
		s.violate("I3: %s before its create was answered", r)
	}
}

// SetServed sets whether events.k8s.io/v1 is served. If not, the server does not know the group.
func (s *Server) SetServed(served bool) { s.set(func() { s.served, s.groupKnown = served, false }) }

// SetOld lets the server know the group events.k8s.io, but not its v1.
func (s *Server) SetOld() { s.set(func() { s.served, s.groupKnown = false, true }) }

// SetRetryAfter sets the delay in seconds that an overloaded server names, by default 1.
func (s *Server) SetRetryAfter(seconds int) { s.set(func() { s.retryAfter = seconds }) }

// SetReviewsFail sets whether access reviews are refused. The default is that they are answered.
func (s *Server) SetReviewsFail(fail bool) { s.set(func() { s.reviewsFail = fail }) }

// SetTTL sets how long an event is stored after its last change. 0 means for ever. Expired events stay deleted.
func (s *Server) SetTTL(ttl time.Duration) {
	s.set(func() {
		s.history.expire(s.now())
		s.storage.Events() // sweeps
		s.history.ttl = ttl
		s.storage.SetTTL(ttl)
	})
}

// Forbid removes a component's permission for a verb on the events of a group, in one namespace or, with "", in all.
func (s *Server) Forbid(component, namespace, group, verb string) {
	s.set(func() { s.rbac.decide(permission{component, namespace, group, verb}, false) })
}

// Allow grants a permission that [Server.Forbid] removed.
func (s *Server) Allow(component, namespace, group, verb string) {
	s.set(func() { s.rbac.decide(permission{component, namespace, group, verb}, true) })
}

// Namespace sets the state of a namespace. The events of a missing namespace are deleted.
func (s *Server) Namespace(namespace string, state NamespaceState) {
	s.set(func() {
		s.namespaces[namespace] = state
		if state == Missing {
			s.deleteEvents(namespace)
		}
	})
}

// AnnotateEvent writes the i-th stored event, modulo their number, as another client. It reports whether there is one.
func (s *Server) AnnotateEvent(i int) (found bool) {
	s.set(func() {
		if r := s.history.pick(i, s.now()); r != nil {
			found = true
			s.annotate(r)
		}
	})
	return found
}

func (s *Server) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

// passiveClock is a clock.PassiveClock.
type passiveClock func() time.Time

// Now implements clock.PassiveClock.
func (c passiveClock) Now() time.Time { return c() }

// Since implements clock.PassiveClock.
func (c passiveClock) Since(t time.Time) time.Duration { return c().Sub(t) }

// NamespaceState is the state of a namespace.
type NamespaceState uint8

// The states. All namespaces start active.
const (
	Active      NamespaceState = iota
	Terminating                // takes patches, no creates
	Missing                    // does not exist
)

// Call is a kind of request. Calls counts them.
type Call struct {
	Component, Verb, Group, Resource string
	// Code is the status code of the server, and 0 if the request did not reach it.
	Code int
	// Delivered reports whether the client received that answer.
	Delivered bool
}

// Calls returns the number of requests of each kind that have ended.
func (s *Server) Calls() map[Call]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.calls)
}

// Objects returns every event that was ever stored, in the order of their first writes.
func (s *Server) Objects() []Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history.expire(s.now())
	late := make(map[*record]int32)
	for _, r := range s.waiting {
		if about := s.history.records[r.key()]; r.gaveUp && about != nil {
			late[about] = max(late[about], r.count)
		}
	}
	objects := make([]Object, len(s.history.order))
	for i, r := range s.history.order {
		objects[i] = r.Object
		objects[i].Ambiguous = max(r.Ambiguous, late[r])
	}
	return objects
}

// AckedLegacy returns the number of acknowledged writes of old-style events of a component. Each is one occurrence.
func (s *Server) AckedLegacy(component string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ackedLegacy[component]
}

// Violations returns what clients did that they must not do, in order.
func (s *Server) Violations() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.violations)
}

// record records the end of a request. The caller holds s.mu.
func (s *Server) record(r *Request, a answer) {
	s.calls[Call{r.component, r.verb, r.group, r.resource, a.code, a.err == nil && !r.gaveUp}]++
	if r.resource != events {
		return
	}
	lowered, doubled := s.history.update(r, a, s.now())
	if lowered > 0 && !r.legacy {
		s.violate("I3: %s lowered the count of a stored event by %d", r, lowered)
	}
	if doubled {
		s.violate("I3: %s counts in two events", r)
	}
	if a.applied != nil {
		s.checkShares(r, a.applied)
	}
	known := a.isSuccess() || a.isDuplicate() && r.verb == "create"
	if r.legacy && known && !r.gaveUp {
		s.ackedLegacy[r.component]++
	}
}

// remove removes r from the waiting requests. It panics if r has ended before.
func (s *Server) remove(r *Request) {
	i := slices.Index(s.waiting, r)
	if i < 0 {
		panic("apiserver: " + r.line + " has ended already")
	}
	s.waiting = slices.Delete(s.waiting, i, i+1)
}

// waitingClient is a client that has given up and waits for its turn.
type waitingClient struct {
	request *Request
	turn    chan struct{}
}

// TakeTurns makes clients that give up wait until [Server.Release]. Requests that were sent at the same time also time
// out at the same time, and without turns the order of what their senders do next would be random.
func (s *Server) TakeTurns() { s.set(func() { s.turns = true }) }

// Release lets the first client that has given up continue, in the order of [Server.Waiting]. It reports whether there
// was one.
func (s *Server) Release() (released bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.leaving) == 0 {
		return false
	}
	first := slices.MinFunc(s.leaving, func(a, b *waitingClient) int { return a.request.compare(b.request) })
	s.leaving = slices.DeleteFunc(s.leaving, func(l *waitingClient) bool { return l == first })
	close(first.turn)
	return true
}

// waitForTurn returns a function that blocks the client of r until its turn. The caller holds s.mu.
func (s *Server) waitForTurn(r *Request) (wait func()) {
	if !s.turns {
		return func() {}
	}
	l := &waitingClient{request: r, turn: make(chan struct{})}
	s.leaving = append(s.leaving, l)
	select {
	case s.arrived <- struct{}{}:
	default:
	}
	return func() { <-l.turn }
}
