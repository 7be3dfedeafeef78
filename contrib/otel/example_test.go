// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package otelevents_test

import (
	"context"
	"fmt"

	sdklog "go.opentelemetry.io/otel/sdk/log"
	"go.opentelemetry.io/otel/trace"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/adapter"
	otelevents "github.com/eventseries/eventseries/contrib/otel"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/sinks"
)

// The API server gets only Warnings, and the pipeline gets all Events.
func ExampleNewSink() {
	memory := &exporter{} // in a component: otlploggrpc.New
	provider := sdklog.NewLoggerProvider(sdklog.WithProcessor(sdklog.NewBatchProcessor(memory)))
	exported, err := otelevents.NewSink(provider)
	if err != nil {
		fmt.Println(err)
	}
	isWarning := func(event *eventsv1.Event) bool { return event.Type == corev1.EventTypeWarning }
	option := adapter.WithSink(func(api events.Sink) events.Sink {
		return sinks.Tee(sinks.Filter(api, isWarning), exported)
	})
	client := eventstest.NewClientset() // in a component: kubernetes.NewForConfigOrDie(config)
	a := adapter.New(context.Background(), client, option)
	recorder := a.Recorder("example.com/my-controller")
	pod := &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: "web", UID: "1"}
	for range 3 {
		recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Pulled", "Pulling", "image is present")
	}
	if err := a.Flush(context.Background()); err != nil {
		fmt.Println(err)
	}
	for _, a := range memory.exported() {
		fmt.Println(a["k8s.object.name"], a["k8s.event.reason"], "+", a["eventseries.delta"], "=", a["k8s.event.count"])
	}
	fmt.Println(len(client.Events()), "in the API server")
	a.Shutdown()
	_ = provider.Shutdown(context.Background())
	// Output:
	// web Pulled + 3 = 3
	// 0 in the API server
}

// TraceContext stores the span of a context as an annotation of an Event.
func ExampleTraceContext() {
	span := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}})
	ctx := trace.ContextWithSpanContext(context.Background(), span)
	fmt.Println(otelevents.TraceContext(ctx))
	// Output: map[traceparent:00-01000000000000000000000000000000-0200000000000000-00]
}
