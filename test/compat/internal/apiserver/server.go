// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/events/eventstest"
)

// Server has what components need to record Events, and to elect a leader. It is safe for concurrent use.
type Server struct {
	store *eventstest.Clientset
	mux   *http.ServeMux

	mu      sync.Mutex
	changed chan struct{} // closed at the next request's end
}

// New returns a server that stores nothing yet.
func New() *Server {
	s := &Server{store: eventstest.NewClientset(), mux: http.NewServeMux(), changed: make(chan struct{})}
	s.mux.HandleFunc("GET /apis/events.k8s.io/v1", s.discover)
	s.handle("POST /apis/events.k8s.io/v1/namespaces/{ns}/events", s.createEvent)
	s.handle("PATCH /apis/events.k8s.io/v1/namespaces/{ns}/events/{name}", s.patchEvent)
	s.handle("POST /api/v1/namespaces/{ns}/events", s.createCoreEvent)
	s.handle("PATCH /api/v1/namespaces/{ns}/events/{name}", s.patchCoreEvent)
	s.handle("GET "+leases+"/{name}", s.getLease)
	s.handle("POST "+leases, s.createLease)
	s.handle("PUT "+leases+"/{name}", s.updateLease)
	return s
}

const leases = "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases"

// Config is for clients of the server.
func (s *Server) Config() *rest.Config {
	return &rest.Config{Host: "http://apiserver.invalid", Transport: s, QPS: -1}
}

// RoundTrip answers a request.
func (s *Server) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	s.mux.ServeHTTP(w, r)
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.changed)
	s.changed = make(chan struct{})
	return w.Result(), nil
}

// Events returns what is stored.
func (s *Server) Events() []eventsv1.Event { return s.store.Events() }

// Await returns when all that is stored is what done wants.
func (s *Server) Await(ctx context.Context, done func(stored []eventsv1.Event) bool) error {
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		if done(s.Events()) {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("apiserver: not done with %d Events stored: %w", len(s.Events()), context.Cause(ctx))
		}
	}
}

func (s *Server) discover(w http.ResponseWriter, _ *http.Request) {
	respond(w, http.StatusOK, &metav1.APIResourceList{
		TypeMeta:     metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"},
		GroupVersion: eventsv1.SchemeGroupVersion.String(),
		APIResources: []metav1.APIResource{{Name: "events", Namespaced: true, Kind: "Event"}},
	})
}

func (s *Server) createEvent(r *http.Request, body *request) (runtime.Object, error) {
	event, err := decode[*eventsv1.Event](body)
	if err != nil {
		return nil, err
	}
	return s.store.EventsV1().Events(body.namespace).Create(r.Context(), event, metav1.CreateOptions{})
}

func (s *Server) patchEvent(r *http.Request, body *request) (runtime.Object, error) {
	return s.store.EventsV1().Events(body.namespace).Patch(r.Context(), body.name,
		types.PatchType(body.contentType), body.body, metav1.PatchOptions{})
}

func (s *Server) createCoreEvent(r *http.Request, body *request) (runtime.Object, error) {
	event, err := decode[*corev1.Event](body)
	if err != nil {
		return nil, err
	}
	return s.store.CoreV1().Events(body.namespace).Create(r.Context(), event, metav1.CreateOptions{})
}

func (s *Server) patchCoreEvent(r *http.Request, body *request) (runtime.Object, error) {
	return s.store.CoreV1().Events(body.namespace).Patch(r.Context(), body.name,
		types.PatchType(body.contentType), body.body, metav1.PatchOptions{})
}

func (s *Server) getLease(r *http.Request, body *request) (runtime.Object, error) {
	return s.store.CoordinationV1().Leases(body.namespace).Get(r.Context(), body.name, metav1.GetOptions{})
}

func (s *Server) createLease(r *http.Request, body *request) (runtime.Object, error) {
	lease, err := decode[*coordinationv1.Lease](body)
	if err != nil {
		return nil, err
	}
	return s.store.CoordinationV1().Leases(body.namespace).Create(r.Context(), lease, metav1.CreateOptions{})
}

func (s *Server) updateLease(r *http.Request, body *request) (runtime.Object, error) {
	lease, err := decode[*coordinationv1.Lease](body)
	if err != nil {
		return nil, err
	}
	return s.store.CoordinationV1().Leases(body.namespace).Update(r.Context(), lease, metav1.UpdateOptions{})
}
