// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package world

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/internal/eventconv"
)

// eventsV1 writes through events.k8s.io/v1, for the SDK and tools/events.
type eventsV1 struct {
	*wire
	// arrives is travel, but where that would hang.
	arrives func(ctx context.Context) (time.Time, error)
}

func (e eventsV1) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	return e.Patch(ctx, event, nil)
}

func (e eventsV1) Patch(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	at, err := e.arrives(ctx)
	if err != nil {
		return nil, err
	}
	stored, err := e.component.handle(eventsv1.SchemeGroupVersion, eventconv.ToCore(event), patch, at)
	if err != nil {
		return nil, err
	}
	return eventconv.FromCore(stored), nil
}

// coreV1 writes through core/v1, for tools/record.
type coreV1 struct{ *wire }

func (c coreV1) Create(event *corev1.Event) (*corev1.Event, error) { return c.Patch(event, nil) }

func (c coreV1) Patch(event *corev1.Event, patch []byte) (*corev1.Event, error) {
	at, err := c.travel(context.Background())
	if err != nil {
		return nil, err
	}
	return c.component.handle(corev1.SchemeGroupVersion, event, patch, at)
}

var errUpdate = errors.New("world: update is part of client-go's interface, and called by nobody")

func (eventsV1) Update(context.Context, *eventsv1.Event) (*eventsv1.Event, error) {
	return nil, errUpdate
}
func (coreV1) Update(*corev1.Event) (*corev1.Event, error) { return nil, errUpdate }
