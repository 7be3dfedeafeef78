// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Errors of a failing connection, for [Request.Break] and [Request.Lose].
var (
	ErrRefused error = &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	ErrReset   error = &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}
	ErrClosed  error = io.EOF
)

// Request is a request that waits at the server. Exactly one of Answer, Lose, Mask, Fail, Break and Vanish ends it;
// calling another one panics.
type Request struct {
	*query

	server    *Server
	arrivedAt time.Time
	sequence  int
	answer    chan answer // holds one

	// Guarded by server.mu:
	gaveUp  bool
	outcome string
}

// Component returns the user agent of the client.
func (r *Request) Component() string { return r.component }

// Verb returns create, patch or get.
func (r *Request) Verb() string { return r.verb }

// Group returns the API group.
func (r *Request) Group() string { return r.group }

// Resource returns events, selfsubjectaccessreviews, selfsubjectreviews, or "" for discovery.
func (r *Request) Resource() string { return r.resource }

// Namespace returns the namespace of the event or of the access review.
func (r *Request) Namespace() string { return r.namespace }

// Name returns the generated name of the event. A replay has another one.
func (r *Request) Name() string { return r.name }

// Count returns the number of occurrences that the event stands for in this write, and 0 if there is none.
func (r *Request) Count() int32 { return r.count }

// Share returns the ID of the share that the sender has in the count, and "" without continuity. Then Count is that of
// the share.
func (r *Request) Share() string { return r.share }

// Legacy reports whether the event is of the old style, without eventTime.
func (r *Request) Legacy() bool { return r.legacy }

// Event returns the event of the request as it was created, and nil if it is unknown. It must not be changed.
func (r *Request) Event() *corev1.Event {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	if known := r.server.history.records[r.key()]; known != nil {
		return known.Event
	}
	return nil
}

// String describes the request. It contains no generated name and no time.
func (r *Request) String() string { return r.line }

// ArrivedAt returns when the request arrived.
func (r *Request) ArrivedAt() time.Time { return r.arrivedAt }

// GaveUp reports whether the client has stopped waiting. The request may still take effect.
func (r *Request) GaveUp() bool {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	return r.gaveUp
}

// Outcome describes how the request ended. It is "" while the request waits.
func (r *Request) Outcome() string {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	return r.outcome
}

// Answer lets the server handle the request now. The client gets the answer if it is still waiting.
func (r *Request) Answer() {
	r.end(func(s *Server) answer { return s.handle(r) }, "")
}

// Lose lets the server handle the request. The client gets the transport error err in place of the answer.
func (r *Request) Lose(err error) {
	r.end(func(s *Server) answer {
		handled := s.handle(r)
		return answer{code: handled.code, applied: handled.applied, err: err}
	}, "lost ")
}

// Mask lets the server handle the request. The client gets failure f in place of the answer, as from a proxy with a
// short timeout. If f says for sure that nothing was done, the client gets the server's answer.
func (r *Request) Mask(f Failure) {
	r.end(func(s *Server) answer {
		handled := s.handle(r)
		if !f.IsAmbiguous() {
			return handled
		}
		masked := f.answer(r.query, s.retryAfter)
		masked.applied = handled.applied
		return masked
	}, "masked ")
}

// Fail ends the request with failure f before it takes effect. If f does not apply to such a request, the request is
// answered.
func (r *Request) Fail(f Failure) {
	r.end(func(s *Server) answer {
		if !f.Fits(r) {
			return s.handle(r)
		}
		return f.answer(r.query, s.retryAfter)
	}, "")
}

// Break ends the request with the transport error err before it reaches the server.
func (r *Request) Break(err error) {
	r.end(func(*Server) answer { return answer{err: err} }, "broken ")
}

// Vanish forgets a request that its client gave up. It panics if the client still waits.
func (r *Request) Vanish() {
	if !r.GaveUp() {
		panic("apiserver: " + r.line + " cannot vanish, its client waits")
	}
	r.end(func(*Server) answer { return answer{} }, "vanished")
}

// end removes the request from the waiting ones and delivers the answer of decide.
func (r *Request) end(decide func(*Server) answer, how string) {
	s := r.server
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(r)
	a := decide(s)
	r.outcome = how + a.String()
	if r.gaveUp {
		r.outcome = "late " + r.outcome
	}
	s.record(r, a)
	r.answer <- a
}

// giveUp is called when the client's context has ended. An answer that has arrived is still delivered.
func (r *Request) giveUp(cause error, asked *http.Request) (*http.Response, error) {
	r.server.mu.Lock()
	select {
	case a := <-r.answer:
		r.server.mu.Unlock()
		return a.response(asked)
	default:
		r.gaveUp = true
		await := r.server.waitForTurn(r)
		r.server.mu.Unlock()
		await()
		return nil, cause
	}
}

// LastTimestamp returns the lastTimestamp in this write.
func (r *Request) LastTimestamp() time.Time {
	if r.event != nil {
		return r.event.LastTimestamp.Time
	}
	var body struct {
		LastTimestamp metav1.Time `json:"lastTimestamp"`
	}
	if json.Unmarshal(r.patch, &body) != nil {
		return time.Time{}
	}
	return body.LastTimestamp.Time
}

// transport is the network between one component and the server.
type transport struct {
	server    *Server
	component string
}

// RoundTrip implements http.RoundTripper. It blocks until the driver ends the request or the client's context does.
func (t transport) RoundTrip(asked *http.Request) (*http.Response, error) {
	a, err := newQuery(t.component, asked)
	if err != nil {
		return nil, err
	}
	r := t.server.enqueue(a)
	select {
	case a := <-r.answer:
		return a.response(asked)
	case <-asked.Context().Done():
		return r.giveUp(context.Cause(asked.Context()), asked)
	}
}
