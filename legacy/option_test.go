// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

func TestSenselessOptionsAreDefaults(t *testing.T) {
	got := NewBroadcaster(
		WithContext(nil), //nolint:staticcheck // what a careless caller passes
		events.WithClock(nil), events.WithMaxInFlight(-1), events.WithWriteTimeout(-1), events.WithDrainTimeout(0),
		events.WithDropHandler(nil), WithSleepDuration(-1),
	)
	sink := &server{}
	got.StartRecordingToSink(sink)
	got.NewRecorder(nil, kubelet).Event(pod("a"), "Normal", "Started", "m")
	if err := got.Flush(t.Context()); err != nil || len(sink.lines()) != 1 {
		t.Errorf("Flush: %v, after %q", err, sink.lines())
	}
	got.Shutdown()
}

func TestWriteTimeoutCutsARequestOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := eventstest.NewClientset()
		c.Fail(func(ctx context.Context, _ eventstest.Request) error {
			<-ctx.Done()
			return ctx.Err()
		})
		b, recorder := recordTo(&typedcorev1.EventSinkImpl{Interface: c.CoreV1().Events("")},
			events.WithWriteTimeout(3*time.Second), events.WithMaxInFlight(1))
		defer b.Shutdown()
		recorder.Event(pod("a"), "Normal", "Started", "m")
		time.Sleep(3*time.Second - 1)
		checkStats(t, b.Stats(), map[string]int64{"Retries": 0})
		time.Sleep(1)
		synctest.Wait()
		checkStats(t, b.Stats(), map[string]int64{"Retries": 1})
	})
}
