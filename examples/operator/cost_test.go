// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"net/http/httptest"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/log/noop"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	otelevents "github.com/eventseries/eventseries/contrib/otel"
	eventsprom "github.com/eventseries/eventseries/contrib/prometheus"
	"github.com/eventseries/eventseries/debug"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/sinks"
)

var pod = &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: "web", UID: "1"}

// newRepeater returns a call that repeats a known series, and one that looks at it as operators do: a scrape, and a view
// of the page. Without attached things it has nothing to look at.
func newRepeater(tb testing.TB, attached bool) (repeat, look func()) {
	tb.Helper()
	options := []adapter.Option{events.WithLogger(klog.Logger{})}
	if attached {
		exported, err := otelevents.NewSink(noop.NewLoggerProvider())
		if err != nil {
			tb.Fatal(err)
		}
		options = append(options, adapter.WithSink(func(api events.Sink) events.Sink { return sinks.Tee(api, exported) }),
			adapter.WithSelector("reason!=Never"),
			events.WithContextAnnotations(otelevents.TraceContext))
	}
	a := adapter.New(context.Background(), eventstest.NewClientset(), options...)
	if err := a.Start(context.Background()); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(a.Shutdown)
	look = func() {}
	if attached {
		registry, page := prometheus.NewRegistry(), debug.Handler(a)
		registry.MustRegister(eventsprom.NewCollector(a))
		look = func() {
			if _, err := registry.Gather(); err != nil {
				tb.Error(err)
			}
			page.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
		}
	}
	recorder := a.NewRecorder("example.com/greeter")
	repeat = func() { recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Pulled", "Pull", "the image") }
	repeat()
	repeat()
	if err := a.Flush(context.Background()); err != nil {
		tb.Fatal(err)
	}
	return repeat, look
}

// With all of it attached, a repeat allocates nothing.
func TestRepeatAllocatesNothing(t *testing.T) {
	repeat, look := newRepeater(t, true)
	look()
	if got := testing.AllocsPerRun(1000, repeat); got != 0 {
		t.Errorf("a repeat allocates %v times", got)
	}
}

// What all of it costs a repeat. It is looked at every million repeats, several times a second: more often than anybody
// does.
func BenchmarkRepeat(b *testing.B) {
	for name, attached := range map[string]bool{"alone": false, "attached": true} {
		b.Run(name, func(b *testing.B) {
			repeat, look := newRepeater(b, attached)
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				repeat()
				if n++; n%1_000_000 == 0 {
					look()
				}
			}
		})
	}
}
