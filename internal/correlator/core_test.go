// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package correlator

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/eventseries/eventseries/internal/options"
	"github.com/eventseries/eventseries/internal/series"
)

// Caught: names of aggregate events by another clock than the one of the options.
func TestClock(t *testing.T) {
	clk := clocktesting.NewFakeClock(time.Unix(1, 0))
	if c, ok := New(nil, clk).options.Clock.(*uniqueClock); !ok || c.PassiveClock != clk {
		t.Error("the correlator does not go by the broadcaster's clock")
	}
	tuned := options.For(func(c *record.CorrelatorOptions) { c.Clock = clk })
	if New([]options.Option{tuned}, nil).options.Clock != clk {
		t.Error("the correlator does not go by its own clock")
	}
}

// nowhere is a sink that no request is made of.
type nowhere struct{ record.EventSink }

// Flushes that time out while a server is down leave nothing behind, and one that is over neither.
func TestForget(t *testing.T) {
	c := New(nil, clocktesting.NewFakeClock(time.Unix(1, 0)))
	if _, err := c.Attach(nowhere{}); err != nil {
		t.Fatal(err)
	}
	normal := &series.Occurrence{Key: series.Key{Type: corev1.EventTypeNormal}}
	if r := c.Observe(normal, series.PackedKey{}); r.Dropped != 0 || len(r.Effects.Due) != 1 {
		t.Fatalf("%+v", r)
	}
	f := series.NewFlush()
	c.Flush(time.Unix(2, 0), f)
	f.Add(-1)
	if f.Remaining() != 1 {
		t.Errorf("waits for %d, want the one that is queued", f.Remaining())
	}
	c.Forget(f)
	if len(c.flushes) != 0 {
		t.Errorf("%d waits are left behind", len(c.flushes))
	}
}
