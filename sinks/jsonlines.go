// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sinks

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/events"
)

// JSONLines returns a sink that writes one line of JSON to w for every new Event and for every new
// count of a series. A line is the complete events.k8s.io/v1 Event, as the API server would store
// it.
//
// Each line is one call of Write, and calls are not concurrent. If Write returns an error, the
// broadcaster retries the write. If Write had written a part of the line, a line end is written
// before the next line, so that the part is a line of its own.
//
// Use JSONLines(io.Discard) for a component that runs without an API server.
func JSONLines(w io.Writer) events.Sink { return &jsonLines{turn: make(chan struct{}, 1), w: w} }

type jsonLines struct {
	// turn is held while a line is written. It is a channel and not a mutex, so that a write can
	// stop waiting when its context ends.
	turn chan struct{}
	w    io.Writer
	// torn is true if the last line was written without its end.
	torn bool
}

func (s *jsonLines) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	return nil, s.write(ctx, event)
}

func (s *jsonLines) Patch(ctx context.Context, event *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return nil, s.write(ctx, event)
}

func (s *jsonLines) write(ctx context.Context, event *eventsv1.Event) error {
	typed := *event
	typed.APIVersion = eventsv1.SchemeGroupVersion.String()
	typed.Kind = "Event"
	// The error is always nil, because an Event has only texts, numbers and times.
	line, _ := json.Marshal(&typed)
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return fmt.Errorf("sinks: another event is still being written: %w", ctx.Err())
	}
	line = append(line, '\n')
	torn := s.torn
	if torn {
		line = append([]byte{'\n'}, line...)
	}
	// If w panics, nobody knows how much of the line was written, so torn stays true.
	s.torn = true
	n, err := s.w.Write(line)
	s.torn = n < len(line) && (torn || n > 0)
	if err != nil {
		return fmt.Errorf("sinks: cannot write an event: %w", err)
	}
	return nil
}
