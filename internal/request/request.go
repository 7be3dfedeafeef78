// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package request

import (
	"errors"
	"time"

	"github.com/eventseries/eventseries/internal/stats"
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
	// Shared says that other processes may use the name of the Event. One that a Create
	// finds need not be from an earlier attempt, so somebody must look.
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

// Scope is what a bad answer is about, and so what the back-off holds up.
type Scope uint8

// The scopes.
const (
	Open      Scope = iota // the answer closes nothing
	Server                 // everything
	Namespace              // every write in the Event's namespace
	Shared                 // as Namespace, and it narrows the window: the server has too much to do
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
	// Error has the words of the answer, for a person. Classify leaves it empty.
	Error string
}

// ErrFiltered is what a sink answers to an event it does not want.
var ErrFiltered = errors.New("events: filtered out by the sink")

// Override is an error with a verdict of its own. The adapter returns it when it
// has asked the server what a Forbidden means.
type Override struct {
	Verdict Verdict
	Err     error
}

func (o *Override) Error() string { return o.Err.Error() }

// Unwrap returns the answer of the server.
func (o *Override) Unwrap() error { return o.Err }
