// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/eventseries/eventseries/internal/apiclient"
)

func TestSenselessOptionsAreDefaults(t *testing.T) {
	got := newConfig([]Option{
		WithContext(nil), //nolint:staticcheck // what a careless caller passes
		WithClock(nil), WithWorkers(0), WithWriteTimeout(-1), WithDrainTimeout(0),
		WithDropHandler(nil), WithSleepDuration(-1), withQueueSize(defaultQueueSize),
	})
	want := newConfig(nil)
	if got.ctx != want.ctx || got.clock != want.clock || got.workers != 4 || got.writeTimeout != 30*time.Second ||
		got.drainTimeout != 5*time.Second || got.dropHandler != nil || got.queueSize != 16384 {
		t.Errorf("got %+v, want the defaults %+v", got, want)
	}
}

func TestOptions(t *testing.T) {
	logger := klog.Background().WithName("test")
	ctx := klog.NewContext(context.Background(), logger)
	clk := clocktesting.NewFakeClock(time.Unix(1, 0))
	c := newConfig([]Option{
		WithContext(ctx), WithClock(clk), WithWorkers(1), WithWriteTimeout(2), WithDrainTimeout(3),
		WithCorrelatorOptions(record.CorrelatorOptions{BurstSize: 4}),
	})
	if c.ctx != ctx || *c.logger != logger || c.clock != clk || c.workers != 1 || c.writeTimeout != 2 ||
		c.drainTimeout != 3 || c.correlator.BurstSize != 4 {
		t.Errorf("got %+v", c)
	}
	b := NewBroadcaster(WithClock(clk))
	if b.config.correlator.Clock != b.clock {
		t.Error("the correlator does not go by the broadcaster's clock")
	}
	b = NewBroadcaster(WithCorrelatorOptions(record.CorrelatorOptions{Clock: clk}))
	if b.config.correlator.Clock != clk {
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
		b.writers[0].client = late{}
		recorder.Event(pod("a"), "Normal", "Started", "m")
		time.Sleep(3*time.Second - 1)
		checkStats(t, b.Stats(), map[string]int64{"Retries": 0})
		time.Sleep(1)
		synctest.Wait()
		checkStats(t, b.Stats(), map[string]int64{"Retries": 1})
	})
}
