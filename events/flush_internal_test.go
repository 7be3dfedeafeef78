// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/klog/v2"
	testingclock "k8s.io/utils/clock/testing"
)

// yes is a sink that stores nothing.
type yes struct{}

func (yes) Create(_ context.Context, e *eventsv1.Event) (*eventsv1.Event, error) { return e, nil }
func (yes) Patch(_ context.Context, e *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return e, nil
}

// A flush that saw a broadcaster before its end and writes after it would write beside Drain, or after it.
//
// Caught: an inline flush that does not ask whether the end has begun.
func TestNoInlineFlushAfterTheEnd(t *testing.T) {
	b := NewBroadcaster(yes{}, WithLogger(klog.Logger{}))
	b.Shutdown()
	b.writeInline(t.Context(), nil) // would wait for work until its context ends
}

// Once it is started, the broadcaster has a timer: two would not know of each other's sleep.
//
// Caught: an inline flush that looks at the deadlines although a Start has come meanwhile.
func TestNoSecondTimer(t *testing.T) {
	passed := testingclock.NewFakeClock(time.Now())
	b := NewBroadcaster(yes{}, WithLogger(klog.Logger{}), WithClock(passed))
	defer b.Shutdown()
	rec := b.NewRecorder(nil, "example.com/test")
	pod := &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web", UID: "uid"}
	for range 3 {
		rec.Eventf(pod, nil, "Normal", "Killing", "Kill", "note")
		if err := b.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	passed.Step(time.Hour)
	_ = b.life.Start(func() error { // as one that comes while the flush is writing
		return nil
	})
	b.expireInline(b.config.clock.Now())
	if n := b.Stats().Series; n != 1 {
		t.Errorf("%d series, want the one that only the timer may end", n)
	}
}
