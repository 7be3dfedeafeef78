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

// The operations. Nothing stands for no request.
const (
	Nothing Op = iota
	Create
	Patch
)

var opNames = [...]string{"nothing", "create", "patch"}

func (op Op) String() string { return opNames[op] }

// Request has the properties of a request on which the meaning of its answer depends. The zero
// value stands for any request.
type Request struct {
	Op Op
	// Unconditional is true for a Patch without a resourceVersion, which the server applies to any
	// version of the Event.
	Unconditional bool
	// ReadVersion is true for an empty Patch. It changes nothing. The answer to it has the stored
	// Event, and with it the resourceVersion that the next Patch needs.
	ReadVersion bool
	// Shared is true for a Create of an Event that may be on the server already, because other
	// processes use its name, too, or because it was stored before. If the server answers that the
	// Event exists, the Event must be read, because it need not be the result of an earlier attempt
	// of this Create.
	Shared bool
	// Recreates is true for a Create of an Event that has expired, unless an earlier attempt may
	// have stored it. If the server answers that the Event exists, somebody else has created it.
	Recreates bool
}

// Action is the consequence of an answer for the item that was written.
type Action uint8

// The actions.
const (
	// Skip means that nothing was sent, or that the write was given up because the end has come.
	Skip Action = iota
	// Stored means that the server has stored the write.
	Stored
	// Recreate means that the Event is not on the server any more, and must be created with its
	// full count.
	Recreate
	// Resend means that somebody else has written the Event. Its resourceVersion must be read, and
	// then a Patch is sent.
	Resend
	// Retry means that the write is tried again when the gates let it pass.
	Retry
	// Unsupported means that the server does not serve the API. An adapter tries the other API.
	// Without an adapter the write is tried again.
	Unsupported
	// Forbidden means that RBAC or admission control refuses the write. An adapter asks the server
	// which writes RBAC allows. Without an adapter the write is tried again.
	Forbidden
	// Drop means that the server will never store the write, so its occurrences are dropped.
	Drop
)

// Scope is the part of all writes that a bad answer may concern, as far as the answer itself shows.
// The judge in package writer decides who is to blame, because that also depends on the answers to
// other writes.
type Scope uint8

// The scopes.
const (
	// Open means that the answer shows no fault of the server or of the namespace.
	Open Scope = iota
	// Server means all writes.
	Server
	// Namespace means all writes in the namespace of the Event.
	Namespace
	// Shared means either all writes or all writes in the namespace of the Event, because the
	// answer does not show whether the server or the namespace has too much to do.
	Shared
)

// Verdict is the meaning of one answer. It is a plain value, so that the retry policy can be tested
// as a table without a server.
type Verdict struct {
	Action Action
	// Reason is the reason for which the occurrences are dropped. With the action Drop they are
	// dropped at once. With Hold they are dropped when the server has refused the Event too often.
	Reason stats.Reason
	// Gate is the scope of a bad answer. For any other answer it is Open.
	Gate Scope
	// Wait is the least time until the next attempt, or 0. In most cases it is the Retry-After of
	// the answer.
	Wait time.Duration
	// Ambiguous is true if the server may have stored the write, although the answer is bad.
	Ambiguous bool
	// Exists is true if the server has an Event of that name already. Together with Stored, an
	// earlier attempt has stored it.
	Exists bool
	// Hold is true if the answer may concern this Event alone. Its series has a back-off of its
	// own, and other Events of the namespace are written before it. If there is a Reason, the
	// series is given up when it has had three such answers, over at least a minute.
	Hold bool
	// Unanswered is true if the answer does not come from the server, or proves nothing. Then it
	// opens no gate.
	Unanswered bool
	// Logged is true if the sink decides when to log such answers, so that the engine does not log
	// this one.
	Logged bool
	// Error is the text of the answer, for people. Classify leaves it empty.
	Error string
}

// ErrFiltered is the error with which a sink refuses an Event that it does not want. It is
// events.ErrFiltered.
var ErrFiltered = errors.New("events: filtered out by the sink")

// Answer is an error with its verdict. A sink returns it so that an answer is classified only once,
// even if it passes through several sinks. [Classify] returns the verdict without a look at Err.
type Answer struct {
	Verdict Verdict
	Err     error
}

func (a *Answer) Error() string { return a.Err.Error() }

// Unwrap returns Err.
func (a *Answer) Unwrap() error { return a.Err }

// Class is the kind of write that an item needs next. The writer orders its queues by class. If a
// client may send less than there is to write, new Events come before higher counts, because that
// something happens matters more than how often.
type Class uint8

// The classes, the most urgent first.
const (
	// NoWrite means that the item needs no write.
	NoWrite Class = iota
	// FirstWarning is the Create of a Warning.
	FirstWarning
	// FirstNormal is the Create of any other Event.
	FirstNormal
	// Second is the Patch that makes an Event of one occurrence a series.
	Second
	// Count is any other Patch.
	Count
	// FailedCreate is a Create that is tried again, because of an answer with the scope Namespace
	// or Shared.
	FailedCreate
	// FailedPatch is a Patch that is tried again for the same reason.
	FailedPatch
	// Classes is the number of classes.
	Classes
)

// First returns the class of the Create of a Warning, or of an Event of another type.
func First(warning bool) Class {
	if warning {
		return FirstWarning
	}
	return FirstNormal
}

// Failed returns the class in which a write of class c is tried again after a failure.
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

// HasFailed reports whether c is a class of writes that are tried again after a failure.
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

// Info describes the write for which a sink is called. The sink gets it from its context, with
// [InfoFrom].
type Info struct {
	Request
	// Attempt is the number of this attempt since the last write of the series that was stored. The
	// first attempt has the number 1.
	Attempt int
	// Delta is the number of occurrences that this write adds to the recorded ones.
	Delta int64
	// Total is the count of the Event after this write.
	Total int64
	// Paced is the rate limiter for which the writer has already waited on behalf of the next
	// request, or none.
	Paced Limiter
	// Limiter is the rate limiter for which the last request has waited, or none.
	Limiter Limiter
	// Made is called when a request to an API server was answered. It may be nil.
	Made func(api string, op Op, took time.Duration, err error)
}

type infoKey struct{}

// WithInfo returns a copy of ctx that carries info to the sink and to the client that it uses.
func WithInfo(ctx context.Context, info *Info) context.Context {
	return context.WithValue(ctx, infoKey{}, info)
}

// InfoFrom returns the Info that ctx carries, or nil if it carries none.
func InfoFrom(ctx context.Context) *Info {
	info, _ := ctx.Value(infoKey{}).(*Info)
	return info
}

// RateLimiter is the part of a client's rate limiter that the SDK uses.
type RateLimiter interface {
	Wait(ctx context.Context) error
}

// Limiter is the rate limiter of a client, in a form that can be compared: a == b never panics. The
// zero value stands for no rate limiter.
type Limiter struct {
	// limiter is always a pointer. A comparison of other types may panic, because the type of a
	// caller may contain a slice.
	limiter RateLimiter
}

// boxed wraps a rate limiter that is no pointer, so that there is a pointer to compare.
type boxed struct{ RateLimiter }

// NewLimiter returns the Limiter for a client's rate limiter. It returns the zero value for nil. If
// the rate limiter is a pointer, all Limiters for it are equal. Otherwise no two are equal, so a
// client must make only one.
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

// Wait blocks until the rate limiter lets the request of ctx pass, or until ctx ends. If the writer
// has already waited on behalf of this request, Wait returns at once.
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

// Pace blocks until the rate limiter lets a request pass. The writer calls it before it chooses the
// request, and passes the result on as Info.Paced. The result is l. It returns the error of the rate
// limiter if that refuses. If the rate limiter panics, the result is no limiter, so that the request
// itself waits for the rate limiter again, where a panic is reported.
func (l Limiter) Pace(ctx context.Context) (paced Limiter, err error) {
	if panicked := usercode.Call(func() { err = l.limiter.Wait(ctx) }); panicked != nil {
		return Limiter{}, nil
	}
	return l, err
}

// QPS returns the number of requests a second that the rate limiter allows, or 0 if that is not
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

// Begin begins the measurement of a request that is sent to an API. The caller must call answered
// with the answer, which then calls Info.Made of ctx, if it is set.
func Begin(ctx context.Context, api string, op Op) (answered func(err error)) {
	info := InfoFrom(ctx)
	if info == nil || info.Made == nil {
		return func(error) {}
	}
	began := time.Now()
	return func(err error) { info.Made(api, op, time.Since(began), err) }
}

// Code returns the HTTP status code of an answer, or 0 if there was no answer. client-go has no
// code for a success, so Code returns the one with which the API server answers a request of op.
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
