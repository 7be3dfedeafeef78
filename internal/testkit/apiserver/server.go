// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	clienttesting "k8s.io/client-go/testing"

	"github.com/eventseries/eventseries/events/eventstest"
)

// User is the user name in the answer to every identity review.
const User = "system:serviceaccount:default:test"

// Server serves an eventstest.Clientset over HTTP. It is safe for concurrent use.
type Server struct {
	*eventstest.Clientset
	// api dispatches to the server's own handlers.
	api *http.ServeMux

	// mu guards the fields below.
	mu sync.Mutex
	// scripted maps each pattern to the handler that was passed to Answer.
	scripted map[string]http.HandlerFunc
	// requests lists the requests that have arrived so far.
	requests []Request
	// finished is closed and replaced each time a request has been answered.
	finished chan struct{}
}

// Request is a request that reached a Server.
type Request struct {
	Method, URI string
	Header      http.Header
	Body        []byte
}

// String returns the request line.
func (r Request) String() string { return r.Method + " " + r.URI }

// New returns a server with an empty clientset.
func New() *Server {
	s := &Server{
		Clientset: eventstest.NewClientset(),
		api:       http.NewServeMux(),
		scripted:  map[string]http.HandlerFunc{},
		finished:  make(chan struct{}),
	}
	s.PrependReactor("create", "selfsubjectreviews", func(clienttesting.Action) (bool, runtime.Object, error) {
		review := &authenticationv1.SelfSubjectReview{}
		review.Status.UserInfo.Username = User
		return true, review, nil
	})
	s.register()
	return s
}

// Config returns the configuration for a client that reaches the server without a socket and has no
// rate limit.
func (s *Server) Config() *rest.Config {
	return &rest.Config{
		Host:      "http://apiserver.invalid",
		Transport: s,
		QPS:       -1,
	}
}

// Client returns a client with the configuration of Config.
func (s *Server) Client() kubernetes.Interface { return kubernetes.NewForConfigOrDie(s.Config()) }

// Answer makes handler answer every request that matches pattern, which has the syntax of
// http.ServeMux. If handler is nil, Answer removes the handler that was set for pattern before, so
// that these requests get the default answers of the server.
func (s *Server) Answer(pattern string, handler http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scripted[pattern] = handler
	if handler == nil {
		delete(s.scripted, pattern)
	}
}

// Requests returns the requests that have arrived so far, in order of arrival.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Count returns the number of requests so far with the given request line, such as "GET /api/v1".
func (s *Server) Count(line string) int {
	return len(slices.DeleteFunc(s.Requests(), func(r Request) bool { return r.String() != line }))
}

// Await blocks until done returns true. It calls done immediately and after every answered request.
// It returns an error if ctx ends first.
func (s *Server) Await(ctx context.Context, done func() bool) error {
	for {
		s.mu.Lock()
		finished := s.finished
		s.mu.Unlock()
		if done() {
			return nil
		}
		select {
		case <-finished:
		case <-ctx.Done():
			return fmt.Errorf("apiserver: not done after %d requests: %w", len(s.Requests()), context.Cause(ctx))
		}
	}
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body []byte
	if r.Body != nil {
		var err error
		body, err = io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	defer s.finish()
	s.arrived(Request{r.Method, r.URL.RequestURI(), r.Header.Clone(), body}).ServeHTTP(w, r)
}

// finish wakes the callers of Await.
func (s *Server) finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.finished)
	s.finished = make(chan struct{})
}

// arrived records a request and returns the handler for it. Later calls of Answer do not affect
// that handler.
func (s *Server) arrived(request Request) http.Handler {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, request)
	scripted := http.NewServeMux()
	for pattern, handler := range s.scripted {
		scripted.HandleFunc(pattern, handler)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := scripted.Handler(r); pattern != "" {
			scripted.ServeHTTP(w, r)
			return
		}
		s.api.ServeHTTP(w, r)
	})
}

// RoundTrip implements http.RoundTripper.
func (s *Server) RoundTrip(r *http.Request) (*http.Response, error) { return Exchange(s, r) }
