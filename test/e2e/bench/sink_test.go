// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
)

// sink counts writes, takes as long as it is told to, and answers with what it was given. It keeps nothing, so that
// the memory of a contender is its own.
type sink struct {
	latency         time.Duration
	creates, writes atomic.Int64
	closed          atomic.Bool // takes no time any more
}

func (s *sink) write() {
	if s.latency > 0 && !s.closed.Load() {
		time.Sleep(s.latency)
	}
	s.writes.Add(1)
}

func (s *sink) create() {
	s.write()
	s.creates.Add(1)
}

// newSink is the sink as tools/events and the SDK see it.
type newSink struct{ *sink }

func (s newSink) Create(_ context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	s.create()
	return e, nil
}

func (s newSink) Update(_ context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	s.write()
	return e, nil
}

func (s newSink) Patch(_ context.Context, e *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	s.write()
	return e, nil
}

// oldSink is the same sink as tools/record sees it.
type oldSink struct{ *sink }

func (s oldSink) Create(e *corev1.Event) (*corev1.Event, error) {
	s.create()
	return e, nil
}

func (s oldSink) Update(e *corev1.Event) (*corev1.Event, error) {
	s.write()
	return e, nil
}

func (s oldSink) Patch(e *corev1.Event, _ []byte) (*corev1.Event, error) {
	s.write()
	return e, nil
}
