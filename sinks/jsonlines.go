// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sinks

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/events"
)

// JSONLines writes every new event, and every count of a series, to w as one
// line of JSON: the whole events.k8s.io/v1 Event as the API server would have
// it. Lines are written one at a time, each with one call of Write. An error of
// w is the write's error, and is retried; if w took a part of the line, that part
// stays a line of its own.
func JSONLines(w io.Writer) events.Sink { return &jsonLines{w: w} }

type jsonLines struct {
	mu   sync.Mutex // guards the rest
	w    io.Writer
	torn bool // the last line has no end
}

func (s *jsonLines) Create(_ context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	return nil, s.write(event)
}

func (s *jsonLines) Patch(_ context.Context, event *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return nil, s.write(event)
}

func (s *jsonLines) write(event *eventsv1.Event) error {
	typed := *event
	typed.APIVersion, typed.Kind = eventsv1.SchemeGroupVersion.String(), "Event"
	line, err := json.Marshal(&typed)
	if err != nil {
		return fmt.Errorf("sinks: cannot encode an event: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	line = append(line, '\n')
	torn := s.torn
	if torn {
		line = append([]byte{'\n'}, line...)
	}
	s.torn = true // should w panic, nobody knows how much of the line it took
	n, err := s.w.Write(line)
	s.torn = n < len(line) && (torn || n > 0)
	if err != nil {
		return fmt.Errorf("sinks: cannot write an event: %w", err)
	}
	return nil
}
