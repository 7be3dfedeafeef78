// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package otelevents_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	otelevents "github.com/eventseries/eventseries/contrib/otel"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/sinks"
)

// repeater returns a function that records a repeat, with a sink and without.
func repeater(t testing.TB, exported bool) func() {
	var sink events.Sink = eventstest.NewSink()
	var opts []events.Option
	if exported {
		sink = sinks.Tee(sink, newSink(t, provide(&exporter{})))
		opts = append(opts, events.WithContextAnnotations(otelevents.TraceContext))
	}
	b, r := start(t, sink, opts...)
	t.Cleanup(b.Shutdown)
	object := pod("web")
	repeat := func() { r.Eventf(object, nil, corev1.EventTypeNormal, "Pulled", "Pulling", "image is present") }
	for range 3 {
		repeat()
	}
	if err := b.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	return repeat
}

// What a sink costs is paid for each write, and not for each occurrence.
func TestRepeatAllocatesNothing(t *testing.T) {
	repeat := repeater(t, true)
	if n := testing.AllocsPerRun(1000, repeat); n >= 1 {
		t.Errorf("a repeat allocates %v times, want 0", n)
	}
}

func BenchmarkRepeat(b *testing.B) {
	for name, exported := range map[string]bool{"alone": false, "exported": true} {
		b.Run(name, func(b *testing.B) {
			repeat := repeater(b, exported)
			b.ReportAllocs()
			for b.Loop() {
				repeat()
			}
		})
	}
}
