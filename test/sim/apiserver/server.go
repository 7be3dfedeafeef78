// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"cmp"
	"net/http"
	"slices"
	"sync"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/events/eventstest"
)

// Server is a modelled kube-apiserver. Every client may do everything, all namespaces are active, events.k8s.io/v1 is
// served and events live for an hour, until the driver says otherwise.
type Server struct {
	now     func() time.Time
	arrived chan struct{}
	storage *eventstest.Clientset // behind authorization, routing and namespaces; its own hooks are not used

	mu          sync.Mutex // guards everything below
	waiting     []*Request
	turns       bool
	leaving     []*leaver
	sequence    int
	served      bool
	groupKnown  bool
	retryAfter  int
	reviewsFail bool
	rbac        rbac
	namespaces  map[string]NamespaceState
	ledger      ledger
	calls       map[Call]int
	ackedLegacy map[string]int64
	violations  []string
}

// New returns a server whose time is now's.
func New(now func() time.Time) *Server {
	s := &Server{
		now:         now,
		arrived:     make(chan struct{}, 1),
		storage:     eventstest.NewClientset(),
		served:      true,
		retryAfter:  1,
		rbac:        make(rbac),
		namespaces:  make(map[string]NamespaceState),
		ledger:      newLedger(),
		calls:       make(map[Call]int),
		ackedLegacy: make(map[string]int64),
	}
	s.storage.DiscardActions()
	s.storage.SetClock(passiveClock(now))
	s.storage.SetTTL(s.ledger.ttl)
	return s
}

// Client returns a clientset for one component, without a rate limit. It panics if client-go refuses to make one.
func (s *Server) Client(userAgent string) kubernetes.Interface {
	return s.LimitedClient(userAgent, -1, 0)
}

// LimitedClient is Client with client-go's own rate limit in front of the server: qps requests a second, burst at once.
func (s *Server) LimitedClient(userAgent string, qps float32, burst int) kubernetes.Interface {
	config := &rest.Config{
		Host: "http://apiserver", UserAgent: userAgent, QPS: qps, Burst: burst,
		ContentConfig: rest.ContentConfig{ContentType: "application/json"}, // the model reads nothing else
	}
	client, err := kubernetes.NewForConfigAndClient(config, &http.Client{Transport: transport{s, userAgent}})
	if err != nil {
		panic(err)
	}
	return client
}

// Arrived returns a channel that holds a token after a request was parked. It is never closed.
func (s *Server) Arrived() <-chan struct{} { return s.arrived }

// Waiting returns the parked requests sorted by what they ask: neither the order of arrival nor a time in a name
// counts, unless two requests ask the same. Those that their clients gave up are among them.
func (s *Server) Waiting() []*Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	sorted := slices.Clone(s.waiting)
	slices.SortFunc(sorted, (*Request).compare)
	return sorted
}

// compare orders requests. Names are in the order in which their events were opened, and two requests for one name are
// one after another.
func (r *Request) compare(other *Request) int {
	return cmp.Or(
		cmp.Compare(r.line, other.line), cmp.Compare(r.name, other.name), cmp.Compare(r.sequence, other.sequence))
}

// park keeps a request for the driver.
func (s *Server) park(a *ask) *Request {
	r := &Request{ask: a, server: s, answer: make(chan answer, 1), arrivedAt: s.now()}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ledger.introduce(a)
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

// checkArrival looks for what the writer of an event must not do: overtake itself. Package legacy sends what
// client-go's correlator says, which patches also what was never created.
func (s *Server) checkArrival(r *Request) {
	if r.resource != events {
		return
	}
	for _, other := range s.waiting {
		if other.resource == events && other.key() == r.key() && !other.gaveUp {
			s.violate("I3: %s while its client waits for %s", r, other)
		}
	}
	if r.verb == "patch" && !r.legacy && !s.ledger.acknowledged(r.key()) {
		s.violate("I3: %s before its create was answered", r)
	}
}

// SetServed sets whether events.k8s.io/v1 is served. If not, the server does not know the group at all.
func (s *Server) SetServed(served bool) { s.set(func() { s.served, s.groupKnown = served, false }) }

// SetOld makes the server one that knows the group events.k8s.io, and does not serve its v1.
func (s *Server) SetOld() { s.set(func() { s.served, s.groupKnown = false, true }) }

// SetRetryAfter sets the seconds that a server under pressure names, by default 1.
func (s *Server) SetRetryAfter(seconds int) { s.set(func() { s.retryAfter = seconds }) }

// SetReviewsFail sets whether access reviews are refused. The default is that they are answered.
func (s *Server) SetReviewsFail(fail bool) { s.set(func() { s.reviewsFail = fail }) }

// SetTTL sets how long an event lives after its last change; 0 is for ever. What has expired stays so.
func (s *Server) SetTTL(ttl time.Duration) {
	s.set(func() {
		s.ledger.expire(s.now())
		s.storage.Events() // sweeps
		s.ledger.ttl = ttl
		s.storage.SetTTL(ttl)
	})
}

// Forbid takes a verb on the events of a group away from a component, in one namespace or, if that is "", in all.
func (s *Server) Forbid(component, namespace, group, verb string) {
	s.set(func() { s.rbac.decide(permission{component, namespace, group, verb}, false) })
}

// Allow is the opposite of [Server.Forbid].
func (s *Server) Allow(component, namespace, group, verb string) {
	s.set(func() { s.rbac.decide(permission{component, namespace, group, verb}, true) })
}

// Namespace sets the state of a namespace. One that goes missing takes its events along.
func (s *Server) Namespace(namespace string, state NamespaceState) {
	s.set(func() {
		s.namespaces[namespace] = state
		if state == Missing {
			s.deleteEvents(namespace)
		}
	})
}

// AnnotateEvent has somebody else write the i-th live event, counted round, and reports whether there is one.
func (s *Server) AnnotateEvent(i int) (found bool) {
	s.set(func() {
		if r := s.ledger.pick(i, s.now()); r != nil {
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

// NamespaceState is how far a namespace is.
type NamespaceState uint8

// The states. All namespaces start active.
const (
	Active      NamespaceState = iota
	Terminating                // takes patches, no creates
	Missing                    // holds nothing
)
