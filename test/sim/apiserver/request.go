// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"io"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// What a connection that fails looks like, for [Request.Break] and [Request.Lose].
var (
	ErrRefused error = &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	ErrReset   error = &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}
	ErrClosed  error = io.EOF
)

// Request is a request that waits at the server. Exactly one of Answer, Lose, Mask, Fail, Break and Vanish ends it;
// calling another one panics.
type Request struct {
	*ask

	server    *Server
	arrivedAt time.Time
	sequence  int
	answer    chan answer // holds one

	// Guarded by server.mu:
	gaveUp  bool
	outcome string
}

// Component is the user agent of the client.
func (r *Request) Component() string { return r.component }

// Verb is create, patch or get.
func (r *Request) Verb() string { return r.verb }

// Group is the API group.
func (r *Request) Group() string { return r.group }

// Resource is events, selfsubjectaccessreviews, selfsubjectreviews, or "" for discovery.
func (r *Request) Resource() string { return r.resource }

// Namespace is that of the event, or the one an access review asks about.
func (r *Request) Namespace() string { return r.namespace }

// Name is the generated name of the event. It is not the same in a replay.
func (r *Request) Name() string { return r.name }

// Count is how many occurrences the event stands for in this write, 0 if it does not say.
func (r *Request) Count() int32 { return r.count }

// Legacy tells whether the event is one of the old style, which has no eventTime.
func (r *Request) Legacy() bool { return r.legacy }

// Event is how the event that the request is about was created, nil if it is about none that is known. It must not be
// changed.
func (r *Request) Event() *corev1.Event {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	if known := r.server.ledger.records[r.key()]; known != nil {
		return known.Event
	}
	return nil
}

// String says what is asked. It contains no generated name and no time.
func (r *Request) String() string { return r.line }

// ArrivedAt is when the request was parked.
func (r *Request) ArrivedAt() time.Time { return r.arrivedAt }

// GaveUp reports whether the client has stopped waiting. The request may land all the same.
func (r *Request) GaveUp() bool {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	return r.gaveUp
}

// Outcome says in a word what became of the request, "" while it waits.
func (r *Request) Outcome() string {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	return r.outcome
}

// Answer has the server handle the request now. The client gets the answer if it is still there.
func (r *Request) Answer() {
	r.end(func(s *Server) answer { return s.handle(r) }, "")
}

// Lose has the server handle the request, and the client gets the transport error err instead of the answer.
func (r *Request) Lose(err error) {
	r.end(func(s *Server) answer {
		handled := s.handle(r)
		return answer{code: handled.code, applied: handled.applied, err: err}
	}, "lost ")
}

// Mask has the server handle the request, and the client is told of failure f instead, as by a proxy that waited too
// short a time. A failure that says for sure that nothing was done hides no answer: the client gets the server's.
func (r *Request) Mask(f Failure) {
	r.end(func(s *Server) answer {
		handled := s.handle(r)
		if !f.IsAmbiguous() {
			return handled
		}
		masked := f.answer(r.ask, s.retryAfter)
		masked.applied = handled.applied
		return masked
	}, "masked ")
}

// Fail ends the request with failure f before it takes effect. A failure that does not concern such a request does not
// stand in its way: it is answered.
func (r *Request) Fail(f Failure) {
	r.end(func(s *Server) answer {
		if !f.Fits(r) {
			return s.handle(r)
		}
		return f.answer(r.ask, s.retryAfter)
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

// end takes the request off the queue and delivers what decide says.
func (r *Request) end(decide func(*Server) answer, how string) {
	s := r.server
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unpark(r)
	a := decide(s)
	r.outcome = how + a.String()
	if r.gaveUp {
		r.outcome = "late " + r.outcome
	}
	s.record(r, a)
	r.answer <- a
}

// giveUp is called when the client's context has ended. An answer that is there already counts.
func (r *Request) giveUp(cause error, asked *http.Request) (*http.Response, error) {
	r.server.mu.Lock()
	select {
	case a := <-r.answer:
		r.server.mu.Unlock()
		return a.response(asked)
	default:
		r.gaveUp = true
		await := r.server.leave(r)
		r.server.mu.Unlock()
		await()
		return nil, cause
	}
}
