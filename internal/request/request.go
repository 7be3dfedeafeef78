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

// Op is what a request does.
type Op uint8

// The operations.
const (
	Nothing Op = iota
	Create
	Patch
)

var opNames = [...]string{"nothing", "create", "patch"}

func (op Op) String() string { return opNames[op] }

// Request is what [Classify] has to know of a request. The zero value stands
// for any request.
type Request struct {
	Op Op
	// Unconditional says that a Patch has no resourceVersion.
	Unconditional bool
	// ReadVersion says that a Patch is empty: it changes nothing, and its answer
	// tells the resourceVersion that the next one needs.
	ReadVersion bool
	// Shared says that other processes may use the name of the Event, or that it was stored
	// before. One that a Create finds need not be from an earlier attempt of the same Create,
	// so somebody must look.
	Shared bool
	// Recreates says that a Create replaces an Event that expired and was not sent
	// before. An Event of that name is then not an earlier attempt.
	Recreates bool
}

// Action says what to do after a request was answered.
type Action uint8

// The actions.
const (
	Skip        Action = iota // nothing was sent
	Stored                    // the server has what was sent
	Recreate                  // the Event expired: create it with the full count
	Resend                    // somebody else wrote the Event: read its version and patch again
	Retry                     // try again when the gate is open
	Unsupported               // this API is not served: as Retry; an adapter tries the other API
	Forbidden                 // RBAC refuses: as Retry; an adapter asks what is allowed
	Drop                      // the server will not accept it
)

// Scope is what a bad answer may be about by its own words. Whose fault it is depends on what others get, too, and the
// judge in package writer decides it.
type Scope uint8

// The scopes.
const (
	Open      Scope = iota // the answer closes nothing
	Server                 // everything
	Namespace              // every write in the Event's namespace
	Shared                 // the Event's namespace, or the server, which has too much to do
)

// Verdict is what one answer means. It is a value, so that the retry policy
// can be tested as a table without a server.
type Verdict struct {
	Action    Action
	Reason    stats.Reason // for Drop; with Hold, for giving up
	Gate      Scope
	Wait      time.Duration // how long the server asked to wait, at least; 0: it did not
	Ambiguous bool          // the write may have been applied
	// Exists says that the server has an Event of that name already: with Stored,
	// from an earlier attempt.
	Exists bool
	// Hold says that a Retry concerns this Event and perhaps no other. The others of
	// its namespace go first, and it has a back-off of its own. With a Reason the Event is
	// given up after three such answers in a row, over a minute.
	Hold bool
	// Unanswered says that there was no answer of the server, so no gate opens.
	Unanswered bool
	// Logged says that the sink has logged the answer, and what to do about it.
	Logged bool
	// Error has the words of the answer, for a person. Classify leaves it empty.
	Error string
}

// ErrFiltered is what a sink answers to an event it does not want.
var ErrFiltered = errors.New("events: filtered out by the sink")

// Answer is an error whose verdict is known, so that an answer is classified once however many
// sinks pass it on. [Classify] returns the verdict and does not look at Err.
type Answer struct {
	Verdict Verdict
	Err     error
}

func (a *Answer) Error() string { return a.Err.Error() }

// Unwrap returns the answer of the server.
func (a *Answer) Unwrap() error { return a.Err }

// Class is what an item needs next, and with that, how urgent it is. When a client may
// send less than there is to say, that something happens at all is worth more than how
// often it did.
type Class uint8

// The classes, the most urgent first.
const (
	NoWrite      Class = iota // the item needs nothing
	FirstWarning              // the Create of a Warning
	FirstNormal               // any other Create
	Second                    // the Patch that makes an Event a series
	Count                     // any other Patch
	FailedCreate              // a Create that was tried, and closed the gate of its namespace
	FailedPatch               // such a Patch
	Classes                   // how many there are
)

// First returns the class of a Create.
func First(warning bool) Class {
	if warning {
		return FirstWarning
	}
	return FirstNormal
}

// Failed returns the class of a write that must be tried again.
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

// HasFailed reports whether it is a class of writes that were tried.
func (c Class) HasFailed() bool { return c == FailedCreate || c == FailedPatch }

// Op returns the operation.
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

// Info is what a sink may know of the write that it is asked for.
type Info struct {
	Request
	Attempt      int   // from 1, since the last write of the series that was acknowledged
	Delta, Total int64 // occurrences that are not recorded yet, and all of the Event
	// Paced is the rate limiter that has let the next request pass already, if any has.
	Paced Limiter
	// Limiter is the one that a request met last.
	Limiter Limiter
	// Made is called for each request to an API server, when it is answered. It may be nil.
	Made func(api string, op Op, took time.Duration, err error)
}

type infoKey struct{}

// WithInfo returns a context for the request of a write.
func WithInfo(ctx context.Context, info *Info) context.Context {
	return context.WithValue(ctx, infoKey{}, info)
}

// InfoFrom returns what WithInfo was given, or nil.
func InfoFrom(ctx context.Context) *Info {
	info, _ := ctx.Value(infoKey{}).(*Info)
	return info
}

// RateLimiter is what the SDK needs of a client's rate limiter.
type RateLimiter interface {
	Wait(ctx context.Context) error
}

// Limiter is the rate limiter of a client. Two of them can always be compared. The zero value
// stands for none.
type Limiter struct {
	// of is a pointer. Comparing anything else may panic: a caller's type may have a slice, or
	// an interface with one in it.
	of RateLimiter
}

// boxed gives a rate limiter that is no pointer an identity.
type boxed struct{ RateLimiter }

// NewLimiter returns the Limiter of a client. A client asks for it once: if of is a pointer,
// all of its Limiters are equal, otherwise none is equal to another.
func NewLimiter(of RateLimiter) Limiter {
	switch {
	case of == nil:
		return Limiter{}
	case reflect.TypeOf(of).Kind() == reflect.Pointer:
		return Limiter{of}
	default:
		return Limiter{&boxed{of}}
	}
}

// None reports whether there is no rate limiter.
func (l Limiter) None() bool { return l.of == nil }

// Wait waits for the rate limiter, unless the request of ctx has passed it.
func (l Limiter) Wait(ctx context.Context) error {
	if info := InfoFrom(ctx); info != nil {
		passed := info.Paced == l
		info.Limiter = l
		info.Paced = Limiter{}
		if passed {
			return nil
		}
	}
	return l.of.Wait(ctx)
}

// Pace waits for the rate limiter before it is known which request it is for. It returns l for
// that request, or no limiter if the rate limiter panicked: then the request meets it, where
// the panic is reported.
func (l Limiter) Pace(ctx context.Context) (paced Limiter, err error) {
	if panicked := usercode.Call(func() { err = l.of.Wait(ctx) }); panicked != nil {
		return Limiter{}, nil
	}
	return l, err
}

// QPS returns how many requests a second the rate limiter allows, 0 if that is not known.
func (l Limiter) QPS() (qps float32) {
	of := l.of
	if box, ok := of.(*boxed); ok {
		of = box.RateLimiter
	}
	if limiter, ok := of.(interface{ QPS() float32 }); ok {
		_ = usercode.Call(func() { qps = limiter.QPS() })
	}
	return qps
}

// Begin says that a request of ctx goes to an API, and is answered when answered is called.
func Begin(ctx context.Context, api string, op Op) (answered func(err error)) {
	info := InfoFrom(ctx)
	if info == nil || info.Made == nil {
		return func(error) {}
	}
	began := time.Now()
	return func(err error) { info.Made(api, op, time.Since(began), err) }
}

// Code returns the HTTP status of an answer, and 0 if there was none. A client tells
// those of failures only.
func Code(op Op, err error) (code int) {
	if err == nil {
		if op == Create {
			return http.StatusCreated
		}
		return http.StatusOK
	}
	_ = usercode.Call(func() { // an error of a sink may panic
		var status apierrors.APIStatus
		if errors.As(err, &status) {
			code = int(status.Status().Code)
		}
	})
	return code
}
