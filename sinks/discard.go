// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sinks

import (
	"context"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/request"
)

// Discard accepts every event and stores none. It is for components that run without an
// API server. The occurrences count as Recorded.
var Discard events.Sink = &local{func(*eventsv1.Event, request.Op) error { return nil }}

// local is a sink without an API server. A Create and a Patch both hand it the whole Event,
// and there are no resourceVersions.
type local struct {
	write func(*eventsv1.Event, request.Op) error
}

func (s *local) Create(_ context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	return nil, s.write(event, request.Create)
}

func (s *local) Patch(_ context.Context, event *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return nil, s.write(event, request.Patch)
}
