// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package realapi

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	clientevents "k8s.io/client-go/tools/events"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/publishing"
	"github.com/eventseries/eventseries/sinks"
)

// sdk is a broadcaster of the SDK over a trial's client.
type sdk struct {
	broadcaster *events.Broadcaster
	recorder    clientevents.EventRecorder
}

func newSDK(t *trial, opts ...events.Option) *sdk {
	b := events.NewBroadcaster(sinks.EventsV1(t.client.EventsV1()), append(opts, events.WithMaxInFlight(t.writers))...)
	return &sdk{broadcaster: b, recorder: b.NewRecorder(scheme.Scheme, controller)}
}

// emit records one occurrence about each pod.
func emit(t *trial, recorder clientevents.EventRecorder) {
	for _, pod := range t.pods {
		recorder.Eventf(pod, nil, corev1.EventTypeWarning, reason, action, note)
	}
}

// drain ends the broadcaster and holds it to what it promises.
func (s *sdk) drain(ctx context.Context, want int64) (time.Time, error) {
	err := s.broadcaster.Drain(ctx)
	end := time.Now()
	if stats := s.broadcaster.Stats(); err == nil && stats.Recorded != want {
		err = fmt.Errorf("recorded %d of %d occurrences: %+v", stats.Recorded, want, stats)
	}
	return end, err
}

// sdkCreates emits, then drains.
func sdkCreates(ctx context.Context, t *trial) (*turn, error) {
	s := newSDK(t)
	return &turn{run: func(ctx context.Context) (time.Time, error) {
		emit(t, s.recorder)
		return s.drain(ctx, int64(len(t.pods)))
	}}, s.broadcaster.Start(context.WithoutCancel(ctx))
}

// sdkDrain makes series with counts that are not written; the drain alone is
// measured.
func sdkDrain(ctx context.Context, t *trial) (*turn, error) {
	s := newSDK(t, publishing.With(-1, 0, 0))
	for range opened {
		emit(t, s.recorder)
	}
	if err := s.broadcaster.Start(context.WithoutCancel(ctx)); err != nil {
		return nil, err
	}
	if err := s.broadcaster.Flush(ctx); err != nil {
		return nil, err
	}
	for range final - opened {
		emit(t, s.recorder)
	}
	if stats := s.broadcaster.Stats(); stats.Pending != int64((final-opened)*len(t.pods)) {
		return nil, fmt.Errorf("%d occurrences are pending: not what a drain was to find", stats.Pending)
	}
	return &turn{run: func(ctx context.Context) (time.Time, error) {
		return s.drain(ctx, int64(final*len(t.pods)))
	}}, nil
}
