// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
	"github.com/eventseries/eventseries/internal/testkit/rules"
)

// server is the test kit's API server behind a queue.
//
//	client-go ──▶ RoundTrip ──▶ waiting request ◀── the driver: answer, lose, mask, fail, cut, vanish
//	                                  │
//	                                  ▼
//	            internal/testkit/apiserver, which asks allows and admit ──▶ ledger
//
// No request is handled when it arrives. Each request waits until the driver ends it, so only the
// driver decides which one is next. The order of waitingRequests does not depend on scheduling, so
// a run can be repeated. If the context of a client ends, the client stops waiting, but its request
// may still take effect, as on a slow network.
//
// Unless the driver changes it, all clients have all permissions, all namespaces are active, and
// events.k8s.io/v1 is served.
type server struct {
	model *apiserver.Server
	// arrived has a token when a request has arrived.
	arrived chan struct{}

	// mu guards the fields below. The hooks of the model are called while it is held.
	mu      sync.Mutex
	waiting []*request
	// leaving has the requests whose clients have given up and wait for their turn.
	leaving  []*request
	sequence int
	// asked is the request that the model handles now. It is nil for requests of the driver itself.
	asked   *request
	serving serving
	// retryAfter is the time for which an overloaded server asks to wait, in seconds.
	retryAfter  int
	reviewsFail bool
	rbac        rbac
	namespaces  map[string]namespaceState
	ledger      ledger
	// violations has texts about requests that a client must not send.
	violations []string
}

// serving says whether the server serves events.k8s.io/v1. If it does not, either it does not know
// the API group, or it knows the group, but not the version v1.
type serving int

const (
	servesV1 serving = iota
	noGroup
	// noGroup138 is noGroup as Kubernetes 1.38 answers: with a Status without details, where older
	// servers answer with plain text (kubernetes#138219).
	noGroup138
	noVersion
)

// namespaceState is the state of a namespace.
type namespaceState int

const (
	active namespaceState = iota
	// terminating means that the namespace takes patches, but no creates.
	terminating
	// missing means that the namespace does not exist.
	missing
)

func newServer() *server {
	s := &server{
		model: apiserver.New(), arrived: make(chan struct{}, 1), retryAfter: 1, rbac: rbac{},
		namespaces: map[string]namespaceState{}, ledger: newLedger(),
	}
	s.model.Authorize(func(r eventstest.Request) bool { return s.asked == nil || s.allows(r) })
	s.model.Fail(func(_ context.Context, r eventstest.Request) error { return s.admit(r) })
	return s
}

// client returns a clientset for one component, with client-go's rate limit of qps requests a
// second, or none if qps is 0.
func (s *server) client(component string, qps int) kubernetes.Interface {
	config := &rest.Config{
		Host: "http://apiserver", UserAgent: component, QPS: float32(cmp.Or(qps, -1)), Burst: 2 * qps,
		// newRequest reads JSON.
		ContentConfig: rest.ContentConfig{ContentType: "application/json"},
	}
	client, err := kubernetes.NewForConfigAndClient(config, &http.Client{Transport: transport{s, component}})
	if err != nil {
		panic(err)
	}
	return client
}

// transport is the network between one component and the server.
type transport struct {
	server    *server
	component string
}

// RoundTrip implements http.RoundTripper. It blocks until the driver ends the request, or until the
// context of the client ends.
func (t transport) RoundTrip(asked *http.Request) (*http.Response, error) {
	r, err := newRequest(t.server, t.component, asked)
	if err != nil {
		return nil, err
	}
	t.server.enqueue(r)
	select {
	case a := <-r.answered:
		return a.response, a.err
	case <-asked.Context().Done():
		return r.giveUp(context.Cause(asked.Context()))
	}
}

// waitingRequests returns the waiting requests, sorted by their String. Requests with equal texts
// are in the order of their names and of their arrival. The result includes requests that their
// clients have given up.
func (s *server) waitingRequests() []*request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.SortedFunc(slices.Values(s.waiting), (*request).compare)
}

func (s *server) enqueue(r *request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ledger.register(r)
	s.checkArrival(r)
	s.sequence++
	r.sequence = s.sequence
	s.waiting = append(s.waiting, r)
	s.signal()
}

func (s *server) signal() {
	select {
	case s.arrived <- struct{}{}:
	default:
	}
}

// checkArrival checks that a client has only one request for an event at a time, and that it
// creates an event before it patches it. Package legacy is exempt from the second check, because
// client-go's correlator also patches events that were never created.
func (s *server) checkArrival(r *request) {
	if !r.isKnown() {
		s.violate("unknown: %s", r)
	}
	if r.resource != eventsResource {
		return
	}
	for _, other := range s.waiting {
		if other.resource == eventsResource && other.key() == r.key() && !other.gaveUp {
			s.violate("I3: %s while its client waits for %s", r, other)
		}
	}
	if r.verb == "patch" && !r.legacy && (r.stored == nil || !r.stored.acked) {
		s.violate("I3: %s before its create was answered", r)
	}
}

// allows reports whether RBAC grants a request of a component. An access review gets the same
// answer.
func (s *server) allows(r eventstest.Request) bool {
	return r.Resource == eventsResource && s.rbac.allows(permission{s.asked.component, r.Namespace, r.Group, r.Verb})
}

// admit does the work of the admission plugin NamespaceLifecycle, which checks creates only. It
// also makes access reviews fail.
func (s *server) admit(r eventstest.Request) error {
	switch isEvent := r.Resource == eventsResource; {
	case s.asked == nil, r.Verb != "create":
		return nil
	case !isEvent && s.reviewsFail:
		return apierrors.NewForbidden(authorizationv1.Resource(accessReviews), "", errors.New(
			"cannot create resource at the cluster scope"))
	case isEvent && s.namespaces[r.Namespace] == missing:
		return apierrors.NewNotFound(corev1.Resource("namespaces"), r.Namespace)
	case isEvent && s.namespaces[r.Namespace] == terminating:
		return rules.NamespaceTerminating(s.asked.via(), r.Namespace, s.asked.name)
	default:
		return nil
	}
}

// handle lets the model answer a request. The caller holds s.mu.
func (s *server) handle(r *request) answer {
	s.ledger.expire()
	s.asked = r
	defer func() { s.asked = nil }()
	toV1 := r.group == eventsv1.GroupName
	unknown := map[serving]http.HandlerFunc{
		noGroup:    apiserver.UnknownPath,
		noGroup138: apiserver.UnknownPath138,
	}[s.serving]
	if toV1 && unknown != nil && (r.resource == "" || s.allows(r.request())) {
		return r.exchange(unknown)
	}
	a := r.exchange(s.model)
	switch a.code {
	case http.StatusBadRequest, http.StatusMethodNotAllowed, http.StatusRequestEntityTooLarge,
		http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity, http.StatusInternalServerError:
		body, _ := io.ReadAll(a.response.Body)
		a.response.Body = io.NopCloser(bytes.NewReader(body))
		s.violate("I7: %s was answered %s", r, body)
	case http.StatusOK, http.StatusCreated:
		if s.asked = nil; r.resource == eventsResource {
			a.applied = s.get(r.namespace, r.name)
		}
	case http.StatusNotFound:
		a.gone = r.verb == "patch" && !(toV1 && s.serving != servesV1)
	}
	return a
}

// get returns a stored event.
func (s *server) get(namespace, name string) *corev1.Event {
	stored, err := s.model.CoreV1().Events(namespace).Get(context.Background(), name, metav1.GetOptions{})
	if err != nil {
		panic(fmt.Sprintf("sim: event %s/%s is not stored: %v", namespace, name, err))
	}
	return stored
}

// serve sets whether the server serves events.k8s.io/v1.
func (s *server) serve(what serving) {
	s.set(func() { s.serving = what })
	s.model.ServeEventsV1(what == servesV1)
}

// setTTL sets the time for which an event is stored after its last change. Expired events stay
// deleted.
func (s *server) setTTL(ttl time.Duration) {
	s.set(func() {
		s.ledger.expire()
		s.ledger.ttl = ttl
		s.model.SetTTL(ttl)
	})
}

// decide grants or removes the permission of a component to use a verb on the events of a group, in
// one namespace or, with "", in all namespaces.
func (s *server) decide(allowed bool, component, namespace, group, verb string) {
	s.set(func() { s.rbac.decide(permission{component, namespace, group, verb}, allowed) })
}

// setNamespace sets the state of a namespace. The events of a missing namespace are deleted.
func (s *server) setNamespace(namespace string, state namespaceState) {
	s.set(func() {
		if s.namespaces[namespace] = state; state != missing {
			return
		}
		err := s.model.CoreV1().Events(namespace).DeleteCollection(
			context.Background(), metav1.DeleteOptions{}, metav1.ListOptions{})
		if err != nil {
			// This cannot happen, because an empty selector is valid.
			panic(err)
		}
		s.ledger.end(func(r *entry) bool { return r.namespace == namespace })
	})
}

// annotate writes the i-th stored event, modulo their number, as another client does. That changes
// the resourceVersion and renews the TTL. It does not change the count.
func (s *server) annotate(i int) {
	s.set(func() {
		s.ledger.expire()
		if len(s.ledger.live) == 0 {
			return
		}
		r := s.ledger.live[i%len(s.ledger.live)]
		s.sequence++
		patch := fmt.Sprintf(`{"metadata":{"annotations":{"example.com/seen":"%d"}}}`, s.sequence)
		stored, err := s.model.CoreV1().Events(r.namespace).Patch(
			context.Background(), r.name, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{})
		if err != nil {
			panic(fmt.Sprintf("sim: an event of the ledger is not stored: %v", err))
		}
		s.ledger.apply(stored, r.key)
	})
}

// deleteOne deletes the i-th stored event, modulo their number, as another client does.
func (s *server) deleteOne(i int) {
	s.set(func() {
		s.ledger.expire()
		if len(s.ledger.live) == 0 {
			return
		}
		gone := s.ledger.live[i%len(s.ledger.live)]
		namespace, name := gone.namespace, gone.name
		err := s.model.CoreV1().Events(namespace).Delete(context.Background(), name, metav1.DeleteOptions{})
		if err != nil {
			panic(fmt.Sprintf("sim: an event of the ledger is not stored: %v", err))
		}
		s.ledger.end(func(e *entry) bool { return e.namespace == namespace && e.name == name })
	})
}

func (s *server) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

// record notes the end of a request in the ledger, and checks its effect. The caller holds s.mu.
func (s *server) record(r *request, a answer) {
	if r.resource != eventsResource {
		return
	}
	lowered, doubled := s.ledger.update(r, a)
	if lowered > 0 && !r.legacy {
		s.violate("I3: %s lowered the count of a stored event by %d", r, lowered)
	}
	if doubled {
		s.violate("I3: %s counts in two events", r)
	}
	if a.applied != nil {
		s.checkShares(r, a.applied)
	}
}

func (s *server) violate(format string, args ...any) {
	s.violations = append(s.violations, fmt.Sprintf(format, args...))
}

// takeViolations returns the violations since the last call.
func (s *server) takeViolations() (taken []string) {
	s.set(func() { taken, s.violations = s.violations, nil })
	return taken
}

// storedEvents returns every event that was ever stored, in the order of the first writes.
func (s *server) storedEvents() (all []*entry) {
	s.set(func() {
		s.ledger.expire()
		all = s.ledger.order
	})
	return all
}

// release lets the first client that has given up continue, in the order of waitingRequests. It
// reports whether there was one. Requests that were sent at the same time also time out at the same
// time. If their senders did not take turns, the order of their next actions would be random.
func (s *server) release() (released bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.leaving) == 0 {
		return false
	}
	first := slices.MinFunc(s.leaving, (*request).compare)
	s.leaving = slices.DeleteFunc(s.leaving, func(r *request) bool { return r == first })
	close(first.turn)
	return true
}
