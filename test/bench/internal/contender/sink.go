// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package contender

import (
	"context"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
)

// Sink counts writes, takes as long as it is told to, and answers with what it
// was given. It keeps nothing, so that the memory of a contender is its own.
type Sink struct {
	latency          time.Duration
	creates, patches atomic.Int64
}

// Creates counts the events that were created.
func (s *Sink) Creates() int64 { return s.creates.Load() }

// Writes counts all requests.
func (s *Sink) Writes() int64 { return s.creates.Load() + s.patches.Load() }

func (s *Sink) create() {
	s.wait()
	s.creates.Add(1)
}

func (s *Sink) patch() {
	s.wait()
	s.patches.Add(1)
}

func (s *Sink) wait() {
	if s.latency > 0 {
		time.Sleep(s.latency)
	}
}

// newSink is the sink as tools/events and the SDK see it.
type newSink struct{ *Sink }

func (s newSink) Create(_ context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	s.create()
	return e, nil
}

func (s newSink) Update(_ context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	s.patch()
	return e, nil
}

func (s newSink) Patch(_ context.Context, e *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	s.patch()
	return e, nil
}

// oldSink is the same sink as tools/record sees it.
type oldSink struct{ *Sink }

func (s oldSink) Create(e *corev1.Event) (*corev1.Event, error) {
	s.create()
	return e, nil
}

func (s oldSink) Update(e *corev1.Event) (*corev1.Event, error) {
	s.patch()
	return e, nil
}

func (s oldSink) Patch(e *corev1.Event, _ []byte) (*corev1.Event, error) {
	s.patch()
	return e, nil
}
