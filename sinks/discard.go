// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sinks

import (
	"context"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/events"
)

// Discard accepts every event and stores none. It is for components that run without an
// API server. The occurrences count as Recorded.
var Discard events.Sink = discard{}

type discard struct{}

func (discard) Create(context.Context, *eventsv1.Event) (*eventsv1.Event, error) { return nil, nil }

func (discard) Patch(context.Context, *eventsv1.Event, []byte) (*eventsv1.Event, error) {
	return nil, nil
}
