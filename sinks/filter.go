// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sinks

import (
	"context"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/events"
)

// Filter returns a sink that passes on to sink only the Events for which keep returns true. The
// occurrences of all other Events are counted in Dropped[DropFiltered], and are not logged.
//
// Filter calls keep for every write of a series. keep must be safe for concurrent use and must not
// modify the Event. When keep has returned false for a series, all later occurrences of the series
// are dropped without another call, until the series has been quiet for the finish interval.
func Filter(sink events.Sink, keep func(*eventsv1.Event) bool) events.Sink {
	return &filter{sink, keep}
}

type filter struct {
	sink events.Sink
	keep func(*eventsv1.Event) bool
}

// Flush implements [events.Flusher].
func (f *filter) Flush(ctx context.Context) error { return flush(ctx, f.sink) }

// flush calls the Flush method of sink if sink is an [events.Flusher].
func flush(ctx context.Context, sink events.Sink) error {
	if f, ok := sink.(events.Flusher); ok {
		return f.Flush(ctx)
	}
	return nil
}

func (f *filter) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	if !f.keep(event) {
		return nil, events.ErrFiltered
	}
	return f.sink.Create(ctx, event)
}

func (f *filter) Patch(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	if !f.keep(event) {
		return nil, events.ErrFiltered
	}
	return f.sink.Patch(ctx, event, patch)
}
