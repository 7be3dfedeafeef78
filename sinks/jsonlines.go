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

// JSONLines writes every new event, and every count of a series, to w as one
// line of JSON: the whole events.k8s.io/v1 Event as the API server would store it.
// Each line is one call of Write, and calls are not concurrent. If w returns an error,
// the write is retried. A part of a line that was already written stays on a line of
// its own. JSONLines(io.Discard) is for components that run without an API server.
func JSONLines(w io.Writer) events.Sink { return &jsonLines{turn: make(chan struct{}, 1), w: w} }

type jsonLines struct {
	turn chan struct{} // held while a line is written; who waits for it can give up
	w    io.Writer
	torn bool // the last line has no end
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
	line, _ := json.Marshal(&typed) // texts, numbers and times: nothing that can fail
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
	s.torn = true // if w panics, it is unknown how much of the line was written
	n, err := s.w.Write(line)
	s.torn = n < len(line) && (torn || n > 0)
	if err != nil {
		return fmt.Errorf("sinks: cannot write an event: %w", err)
	}
	return nil
}
