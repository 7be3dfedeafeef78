// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package request

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/usercode"
)

// Op is the operation of a request.
type Op uint8

// The operations. Nothing means that there is no request.
const (
	Nothing Op = iota
	Create
	Patch
)

var opNames = [...]string{"nothing", "create", "patch"}

func (op Op) String() string { return opNames[op] }

// Request contains the properties of a request that affect the meaning of its answer. The zero
// value stands for any request.
type Request struct {
	Op Op
	// Unconditional is true for a Patch without a resourceVersion. The server applies it to any
	// version of the Event.
	Unconditional bool
	// ReadVersion is true for an empty Patch, which changes nothing. The answer contains the stored
	// Event, including the resourceVersion that the next Patch needs.
	ReadVersion bool
	// Shared is true for a Create of an Event that the server may already store, because other
	// processes use the same name or because it was stored before. If the server answers that the
	// Event exists, the Event must be read, because it may not come from an earlier attempt of this
	// Create.
	Shared bool
	// Recreates is true for a Create of an Event that has expired, unless an earlier attempt may
	// have stored it. If the server answers that the Event exists, somebody else has created it.
	Recreates bool
}

// Action says what an answer means for the written item.
type Action uint8

// The actions.
const (
	// Skip means that nothing was sent, or that the write was cancelled because the writer is
	// ending.
	Skip Action = iota
	// Stored means that the server has stored the write.
	Stored
	// Recreate means that the server no longer has the Event. It must be created with its full
	// count.
	Recreate
	// Resend means that somebody else has changed the Event. Its resourceVersion must be read
	// before the next Patch.
	Resend
	// Retry means that the write must be sent again as soon as the writer's gates, which are its
	// back-offs, let it pass.
	Retry
	// Unsupported means that the server does not serve the API. An adapter then uses the other API.
	// Without an adapter the write is sent again.
	Unsupported
	// Forbidden means that RBAC or admission control refuses the write. An adapter then asks the
	// server which writes RBAC allows. Without an adapter the write is sent again.
	Forbidden
	// Drop means that the server will never store the write, so its occurrences must be dropped.
	Drop
)

// Scope is the set of writes that a bad answer may concern, judging by the answer alone. The judge
// in package writer decides who is at fault, because that also depends on the answers to other
// writes.
type Scope uint8

// The scopes.
const (
	// Open means that neither the server nor the namespace is at fault.
	Open Scope = iota
	// Server means all writes.
	Server
	// Namespace means all writes in the namespace of the Event.
	Namespace
	// Shared means either Server or Namespace: the answer does not show whether the server as a
	// whole is overloaded, or only the namespace has reached a limit.
	Shared
)

// Verdict is the meaning of an answer. It is a plain value, so that the retry policy can be tested
// as a table without a server.
type Verdict struct {
	Action Action
	// Reason is the reason for dropping the occurrences. If the action is Drop, they are dropped at
	// once. If Hold is true, they are dropped only after the server has refused the Event too
	// often.
	Reason stats.Reason
	// Gate is the scope of a bad answer. It is Open for all other answers.
	Gate Scope
	// Wait is the minimum time before the next attempt, or 0. Usually it is the Retry-After of the
	// answer.
	Wait time.Duration
	// Ambiguous is true if the server may have stored the write in spite of the bad answer.
	Ambiguous bool
	// Exists is true if the server already has an Event with the name of the written Event. If the
	// action is Stored, an earlier attempt has stored the existing Event.
	Exists bool
	// Hold is true if the answer may concern this Event alone. Its series then pauses, while other
	// Events in the namespace are written. If Reason is also set, the occurrences of the series are
	// dropped after three answers of this kind, provided that these answers span at least a minute.
	Hold bool
	// Unanswered is true if the answer does not come from the server, or proves nothing about the
	// server. Such an answer ends no back-off.
	Unanswered bool
	// Logged is true if the sink does the logging of this answer, so that the engine must not log
	// it.
	Logged bool
	// Error is the text of the answer, for diagnostics. Classify leaves it empty.
	Error string
}

// ErrFiltered is the error that a sink returns for an Event that it does not want. It is the same
// as events.ErrFiltered.
var ErrFiltered = errors.New("events: filtered out by the sink")

// Answer is an error together with its verdict. A sink returns it so that the error is classified
// only once, even if it passes through several sinks. [Classify] returns Verdict without examining
// Err.
type Answer struct {
	Verdict Verdict
	Err     error
}

func (a *Answer) Error() string { return a.Err.Error() }

// Unwrap returns Err.
func (a *Answer) Unwrap() error { return a.Err }

// Class is the kind of an item's next write. It determines the item's place in the writer's queues.
// If a client cannot keep up, new Events come before higher counts, because the fact that something
// has happened matters more than how often.
type Class uint8

// The classes, beginning with the most urgent one.
const (
	// NoWrite means that the item needs no write.
	NoWrite Class = iota
	// FirstWarning is a Create of a Warning.
	FirstWarning
	// FirstNormal is a Create of any other Event.
	FirstNormal
	// Second is the Patch that turns an Event with one occurrence into a series.
	Second
	// Count is any other Patch.
	Count
	// FailedCreate is a Create that is sent again after an answer with the scope Namespace or
	// Shared.
	FailedCreate
	// FailedPatch is a Patch that is sent again after an answer with the scope Namespace or Shared.
	FailedPatch
	// Classes is the number of classes.
	Classes
)

// First returns FirstWarning for a Warning, and FirstNormal for any other Event.
func First(warning bool) Class {
	if warning {
		return FirstWarning
	}
	return FirstNormal
}

// Failed returns the class of a write of class c that is sent again after a failure.
func (c Class) Failed() Class {
	switch c.Op() {
	case Create:
		return FailedCreate
	case Patch:
		return FailedPatch
	default:
		return NoWrite
	}
}

// HasFailed reports whether c is FailedCreate or FailedPatch.
func (c Class) HasFailed() bool { return c == FailedCreate || c == FailedPatch }

// Op returns the operation of the writes of class c.
func (c Class) Op() Op {
	switch c {
	case FirstWarning, FirstNormal, FailedCreate:
		return Create
	case Second, Count, FailedPatch:
		return Patch
	default:
		return Nothing
	}
}

// Info describes a write to the sink that sends it. The sink gets it by calling [InfoFrom] with its
// context.
type Info struct {
	Request
	// Attempt is the number of this attempt. The first attempt after a stored write of the series
	// has the number 1.
	Attempt int
	// Delta is the number of occurrences that become recorded if this write succeeds.
	Delta int64
	// Total is the count of the Event after this write.
	Total int64
	// Paced is the client's rate limiter if the writer has already waited for it on behalf of the
	// next request. Otherwise it is the zero Limiter.
	Paced Limiter
	// Limiter is the rate limiter for which the last request has waited. If the request has not
	// waited for a rate limiter, Limiter is the zero Limiter.
	Limiter Limiter
	// Made is called with the answer to each request to an API server. It may be nil.
	Made func(api string, op Op, took time.Duration, err error)
}

type infoKey struct{}

// WithInfo returns a copy of ctx from which InfoFrom returns info. The engine passes this copy to
// the sink, so that the sink and its client can use info.
func WithInfo(ctx context.Context, info *Info) context.Context {
	return context.WithValue(ctx, infoKey{}, info)
}

// InfoFrom returns the Info that WithInfo has added to ctx, or nil if there is none.
func InfoFrom(ctx context.Context) *Info {
	info, _ := ctx.Value(infoKey{}).(*Info)
	return info
}

// RateLimiter is the part of a client's rate limiter that the SDK uses.
type RateLimiter interface {
	Wait(ctx context.Context) error
}

// Limiter is a client's rate limiter in a form that can always be compared: for two Limiters a and
// b, a == b never panics. The zero value means that there is no rate limiter.
type Limiter struct {
	// limiter always contains a pointer. Comparing other types may panic, because a caller's type
	// may contain a slice.
	limiter RateLimiter
}

// boxed wraps a rate limiter that is not a pointer, so that a pointer to the boxed can be compared
// instead.
type boxed struct{ RateLimiter }

// NewLimiter returns the Limiter for a client's rate limiter, or the zero value if limiter is nil.
// If limiter is a pointer, all Limiters for it are equal. Otherwise no two Limiters are equal, so
// NewLimiter must be called only once per client.
func NewLimiter(limiter RateLimiter) Limiter {
	switch {
	case limiter == nil:
		return Limiter{}
	case reflect.TypeOf(limiter).Kind() == reflect.Pointer:
		return Limiter{limiter}
	default:
		return Limiter{&boxed{limiter}}
	}
}

// None reports whether there is no rate limiter.
func (l Limiter) None() bool { return l.limiter == nil }

// Wait blocks until the rate limiter allows the request with context ctx, or until ctx ends. If the
// writer has already waited for this request, Wait returns at once.
func (l Limiter) Wait(ctx context.Context) error {
	if info := InfoFrom(ctx); info != nil {
		passed := info.Paced == l
		info.Limiter = l
		info.Paced = Limiter{}
		if passed {
			return nil
		}
	}
	return l.limiter.Wait(ctx)
}

// Pace blocks until the rate limiter allows a request. The writer calls it before it chooses the
// request, and passes on the result in Info.Paced. Pace returns l, or the error of the rate
// limiter. If the rate limiter panics, Pace returns the zero Limiter, as if the writer had not
// waited. Therefore the client calls the rate limiter during the request, and a panic in that call
// is reported.
func (l Limiter) Pace(ctx context.Context) (paced Limiter, err error) {
	if panicked := usercode.Call(func() { err = l.limiter.Wait(ctx) }); panicked != nil {
		return Limiter{}, nil
	}
	return l, err
}

// QPS returns the number of requests per second that the rate limiter allows, or 0 if it is not
// known.
func (l Limiter) QPS() (qps float32) {
	limiter := l.limiter
	if box, ok := limiter.(*boxed); ok {
		limiter = box.RateLimiter
	}
	if known, ok := limiter.(interface{ QPS() float32 }); ok {
		_ = usercode.Call(func() { qps = known.QPS() })
	}
	return qps
}

// Begin begins to measure a request to an API. The caller must call the returned function with the
// error of the answer. The returned function calls Info.Made, if ctx contains an Info in which Made
// is set.
func Begin(ctx context.Context, api string, op Op) (answered func(err error)) {
	info := InfoFrom(ctx)
	if info == nil || info.Made == nil {
		return func(error) {}
	}
	began := time.Now()
	return func(err error) { info.Made(api, op, time.Since(began), err) }
}

// Code returns the HTTP status code of an answer, or 0 if there was no answer. client-go does not
// report the code of a success, so Code returns the code that the API server sends after a
// successful op.
func Code(op Op, err error) (code int) {
	if err == nil {
		if op == Create {
			return http.StatusCreated
		}
		return http.StatusOK
	}
	// The methods of a sink's error may panic.
	_ = usercode.Call(func() {
		var status apierrors.APIStatus
		if errors.As(err, &status) {
			code = int(status.Status().Code)
		}
	})
	return code
}
