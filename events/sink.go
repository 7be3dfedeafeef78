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
// Both methods return the Event as it is stored after the call, or nil if the Sink does not know
// the stored Event. From the error, the broadcaster decides whether to retry the write, to drop the
// occurrences, or to create the Event again, so a Sink must return the same kinds of errors as
// client-go's REST client. A Sink must meet the following requirements, which eventstest.TestSink
// checks.
//
//   - It is safe for concurrent use.
//   - It returns when ctx ends.
//   - It does not modify event or patch, and does not use them after the call.
//   - It does not call Flush, Drain or Shutdown of the broadcaster that writes to it.
//
// If a Sink panics, the panic is logged with its stack, and the write is retried as after a
// timeout. The writes of other series are not affected. A Sink that buffers Events should also be a
// [Flusher].
type Sink interface {
	// Create stores a new Event under its namespace and name.
	Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error)
	// Patch applies a strategic merge patch to the stored Event that has the namespace and the name
	// of event. event is the whole Event, for sinks that store nothing. The patch "{}" changes
	// nothing and only reads the stored Event. The broadcaster sends this patch only after a 409
	// (Conflict or AlreadyExists).
	Patch(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error)
}

// ErrFiltered is the error that a [Sink] returns for an Event that it does not want. The
// occurrences are counted in Dropped[DropFiltered], and nothing is logged.
var ErrFiltered = request.ErrFiltered

// Flusher is implemented by a [Sink] that buffers Events. [Broadcaster.Flush] and
// [Broadcaster.Drain] call the sink's Flush method after all writes, and return the error of this
// method. The method must be safe for concurrent use, because a component may call
// Broadcaster.Flush during a drain. A sink that wraps other sinks should pass the call on to the
// other sinks, as sinks.Tee and sinks.Filter do.
type Flusher interface {
	// Flush returns when the sink has passed on all Events that it has accepted, or when ctx ends.
	Flush(ctx context.Context) error
}
