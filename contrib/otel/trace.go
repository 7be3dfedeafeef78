// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package otelevents

import (
	"context"

	"go.opentelemetry.io/otel/propagation"
	eventsv1 "k8s.io/api/events/v1"
)

// traceparent is the annotation that names a trace, and the W3C's name of that text.
const traceparent = "traceparent"

// TraceContext returns the annotation "traceparent" with the span of ctx, as W3C Trace
// Context writes it, or nil if ctx has no span. Pass it to events.WithContextAnnotations.
func TraceContext(ctx context.Context) map[string]string {
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	if carrier[traceparent] == "" {
		return nil
	}
	// A series keeps annotations that newer occurrences lack, so a tracestate could stay
	// beside the traceparent of another trace.
	return map[string]string{traceparent: carrier[traceparent]}
}

// traceOf returns a context with the span that the annotation of event names, if any.
func traceOf(event *eventsv1.Event) context.Context {
	ctx := context.Background()
	if parent, ok := event.Annotations[traceparent]; ok {
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{traceparent: parent})
	}
	return ctx
}
