// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/eventseries/eventseries/internal/apiclient"
)

func TestSenselessOptionsAreDefaults(t *testing.T) {
	got := NewBroadcaster(
		WithContext(nil), //nolint:staticcheck // what a careless caller passes
		WithClock(nil), WithWorkers(-1), WithWriteTimeout(-1), WithDrainTimeout(0),
		WithDropHandler(nil), WithSleepDuration(-1),
	)
	if diff := cmp.Diff(NewBroadcaster().Inspect(0).Settings, got.Inspect(0).Settings); diff != "" {
		t.Errorf("(-defaults +got):\n%s", diff)
	}
	got.StartRecordingToSink(&server{})
	got.Shutdown()
}

// Caught: names of aggregate events by another clock than the one of the options.
func TestClockOfTheCorrelator(t *testing.T) {
	clk := clocktesting.NewFakeClock(time.Unix(1, 0))
	b := NewBroadcaster(WithClock(clk))
	if b.core.options.Clock != b.core.clock || b.core.clock.PassiveClock != clk {
		t.Error("the correlator does not go by the broadcaster's clock")
	}
	b = NewBroadcaster(WithCorrelatorOptions(record.CorrelatorOptions{Clock: clk}))
	if b.core.options.Clock != clk {
		t.Error("the correlator does not go by its own clock")
	}
}

// late answers when its context has ended.
type late struct{ apiclient.CoreWriter }

func (late) Create(ctx context.Context, _ *corev1.Event) (*corev1.Event, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestWriteTimeoutCutsARequestOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, recorder := recordTo(&server{}, WithWriteTimeout(3*time.Second), WithWorkers(1))
		defer b.Shutdown()
		b.core.sinks[0].client = late{}
		recorder.Event(pod("a"), "Normal", "Started", "m")
		time.Sleep(3*time.Second - 1)
		checkStats(t, b.Stats(), map[string]int64{"Retries": 0})
		time.Sleep(1)
		synctest.Wait()
		checkStats(t, b.Stats(), map[string]int64{"Retries": 1})
	})
}
