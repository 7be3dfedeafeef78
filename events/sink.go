// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"context"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/internal/request"
)

// Sink stores events. Every client-go events.EventSink is one.
//
// Create stores a new event; Patch applies a strategic merge patch to the event
// of event's namespace and name, which is passed whole for sinks that do not
// store. A patch of "{}" changes nothing and asks for what is stored. It is sent only
// after an answer of 409. Both return what the store has now, or nil if that is
// unknown, and the kind of errors that client-go's REST client returns: they decide
// whether the broadcaster retries, drops or creates the event again.
//
// A Sink must be safe for concurrent use, must honour ctx, and must not modify
// or retain event. It must not call Flush, Drain or Shutdown of the broadcaster
// that writes to it. A panic is logged with its stack and counts as no answer: the
// write is tried again as after a timeout, and other series go on.
// eventstest.TestSink tests a Sink for all of this. A Sink that passes on later what it
// has taken is also a [Flusher].
type Sink interface {
	// Create stores a new event, with the name that it has.
	Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error)
	// Patch applies a strategic merge patch to the stored event of that name.
	Patch(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error)
}

// ErrFiltered is what a [Sink] returns for an event that it does not take. The
// occurrences count as Dropped[DropFiltered], and nothing is logged.
var ErrFiltered = request.ErrFiltered

// Flusher is a [Sink] that buffers. Flush and Drain of the broadcaster call its Flush
// when all is written, and return its error. Like the other methods it must be safe for
// concurrent use: a Flush of the component's may overlap with that of the drain. A sink
// that decorates others passes the call on, as sinks.Tee and sinks.Filter do.
type Flusher interface {
	// Flush returns when all that the sink has taken is passed on, or when ctx ends.
	Flush(ctx context.Context) error
}
