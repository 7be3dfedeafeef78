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
// store. A patch of "{}" asks what is stored and changes nothing; it follows an
// answer of 409 only. Both return what the store now has, or nil when there is
// nothing to tell, and the sort of errors client-go's REST client returns: the
// broadcaster retries, drops or writes anew by what they say.
//
// A Sink must be safe for concurrent use, must honour ctx, and must not modify
// or retain event. It must not call Flush, Drain or Shutdown of the broadcaster
// that feeds it. A panic is logged with its stack and taken as no answer: the
// write is tried again as after a timeout, and other series go on.
// eventstest.TestSink holds a Sink to all of this.
type Sink interface {
	// Create stores a new event, with the name that it has.
	Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error)
	// Patch applies a strategic merge patch to the stored event of that name.
	Patch(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error)
}

// ErrFiltered is what a [Sink] answers to an event it does not want. The
// occurrences count as Dropped[Filtered] and nothing is logged.
var ErrFiltered = request.ErrFiltered
