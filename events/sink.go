// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"context"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/internal/request"
)

// Sink stores Events. It has the methods of client-go's events.EventSink except Update, so that
// every client-go sink is a Sink.
//
// Both methods return the Event as it is stored now, or nil if the Sink does not know it. The
// broadcaster decides by the error whether it retries the write, drops it, or creates the Event
// again. So the errors must be of the kinds that client-go's REST client returns.
// eventstest.TestSink tests whether a Sink meets the following requirements.
//
//   - It is safe for concurrent use.
//   - It returns when ctx ends.
//   - It neither changes event and patch nor uses them after the call.
//   - It does not call Flush, Drain or Shutdown of the broadcaster that writes to it.
//
// If a Sink panics, the panic is logged with its stack. It counts as no answer, so that the write
// is tried again as after a timeout. The writes of other series are not affected. A Sink that
// buffers Events should also be a [Flusher].
type Sink interface {
	// Create stores a new Event under the name that it has.
	Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error)
	// Patch applies a strategic merge patch to the stored Event that has the namespace and the name
	// of event. event is the whole Event, for sinks that store nothing. A patch of "{}" changes
	// nothing and asks for the stored Event. The broadcaster sends such a patch only after an
	// answer of 409 (Conflict or AlreadyExists).
	Patch(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error)
}

// ErrFiltered is the error that a [Sink] returns for an Event that it does not want. The
// occurrences are dropped as Dropped[DropFiltered], and nothing is logged.
var ErrFiltered = request.ErrFiltered

// Flusher is a [Sink] that buffers Events. Flush and Drain of the broadcaster call its Flush method
// after all writes, and return its error. Flush must be safe for concurrent use, because the
// component may call Flush of the broadcaster while that drains. A sink that wraps other sinks
// passes the call on to them, as sinks.Tee and sinks.Filter do.
type Flusher interface {
	// Flush returns when the sink has passed on all Events that it has taken, or when ctx ends.
	Flush(ctx context.Context) error
}
