// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package webhook is an admission webhook with answers that a test chooses.
package webhook

import (
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Review is a request of the API server, and its answer.
type Review = admissionv1.AdmissionReview

// Answer answers one request of the API server.
type Answer func(s *Server, w http.ResponseWriter, r *http.Request, review *Review)

// Server is a running server with a certificate authority of its own. It is safe for concurrent use.
type Server struct {
	http   *httptest.Server
	answer atomic.Pointer[Answer]
	asked  atomic.Int64
	closed chan struct{}
}

// Start starts a server. The caller must call Close.
func Start(answer Answer) *Server {
	s := &Server{closed: make(chan struct{})}
	s.Set(answer)
	s.http = httptest.NewTLSServer(http.HandlerFunc(s.serve))
	return s
}

// Set chooses the answer to the requests from now on.
func (s *Server) Set(answer Answer) { s.answer.Store(&answer) }

// Asked returns the number of requests so far.
func (s *Server) Asked() int64 { return s.asked.Load() }

// URL returns the address of the server.
func (s *Server) URL() string { return s.http.URL }

// CA returns the certificate authority of the server, as PEM.
func (s *Server) CA() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.http.Certificate().Raw})
}

// Close ends the server and the requests that hang.
func (s *Server) Close() {
	close(s.closed)
	s.http.Close()
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.asked.Add(1)
	review := &Review{}
	if err := json.NewDecoder(r.Body).Decode(review); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	(*s.answer.Load())(s, w, r, review)
}

// Hang does not answer until the API server gives up.
func Hang(s *Server, _ http.ResponseWriter, r *http.Request, _ *Review) {
	select {
	case <-r.Context().Done():
	case <-s.closed:
	}
}

// Fail answers with 500.
func Fail(_ *Server, w http.ResponseWriter, _ *http.Request, _ *Review) {
	http.Error(w, "the webhook is broken", http.StatusInternalServerError)
}

// After answers after a delay.
func After(delay time.Duration, answer Answer) Answer {
	return func(s *Server, w http.ResponseWriter, r *http.Request, review *Review) {
		select {
		case <-time.After(delay):
			answer(s, w, r, review)
		case <-r.Context().Done():
		case <-s.closed:
		}
	}
}

// In has an answer for each namespace, and allows everything in the others.
func In(answers map[string]Answer) Answer {
	return func(s *Server, w http.ResponseWriter, r *http.Request, review *Review) {
		answer, found := answers[review.Request.Namespace]
		if !found {
			answer = Allow
		}
		answer(s, w, r, review)
	}
}

// Allow allows everything.
func Allow(_ *Server, w http.ResponseWriter, _ *http.Request, review *Review) {
	respond(w, review, &admissionv1.AdmissionResponse{Allowed: true})
}

// Deny denies with a status.
func Deny(refusal metav1.Status) Answer {
	return func(_ *Server, w http.ResponseWriter, _ *http.Request, review *Review) {
		respond(w, review, &admissionv1.AdmissionResponse{Result: &refusal})
	}
}

func respond(w http.ResponseWriter, review *Review, response *admissionv1.AdmissionResponse) {
	response.UID = review.Request.UID
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(&Review{TypeMeta: review.TypeMeta, Response: response})
}
