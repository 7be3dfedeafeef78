// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventsprom_test

import (
	"context"
	"testing"

	"k8s.io/client-go/kubernetes/scheme"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"

	eventsprom "github.com/eventseries/eventseries/contrib/prometheus"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// newRepeater returns a call that repeats a known series.
func newRepeater(tb testing.TB) (*events.Broadcaster, func()) {
	tb.Helper()
	sink := eventstest.NewSink()
	sink.CountOnly()
	b := events.NewBroadcaster(sink, events.WithLogger(klog.Logger{}))
	if err := b.Start(context.Background()); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { drain(tb, b) })
	var recorder clientevents.EventRecorder = b.NewRecorder(scheme.Scheme, controller)
	repeat := func() { recorder.Eventf(pod, nil, "Normal", "Pulled", "Pull", "the image") }
	repeat()
	repeat()
	flush(tb, b)
	return b, repeat
}

// A repeat allocates nothing while its broadcaster is scraped between any two of them.
func TestRepeatAllocatesNothingWhenScraped(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	b, repeat := newRepeater(t)
	registry := register(t, eventsprom.NewCollector(b))
	for range 10 {
		scrape(t, registry)
		flush(t, b)
		if got := testing.AllocsPerRun(1000, repeat); got != 0 {
			t.Errorf("a repeat allocates %v times", got)
		}
	}
}

// The cost of a repeat must not depend on a collector. It is scraped every million repeats, which is five times
// a second: far more often than a Prometheus does.
func BenchmarkRepeat(b *testing.B) {
	for _, collector := range []bool{false, true} {
		b.Run(map[bool]string{false: "collector=no", true: "collector=yes"}[collector], func(b *testing.B) {
			broadcaster, repeat := newRepeater(b)
			registry := register(b)
			if collector {
				registry = register(b, eventsprom.NewCollector(broadcaster))
			}
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				repeat()
				if n++; n%1_000_000 == 0 {
					scrape(b, registry)
				}
			}
		})
	}
}
