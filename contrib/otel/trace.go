// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package otelevents

import (
	"context"

	"go.opentelemetry.io/otel/propagation"
	eventsv1 "k8s.io/api/events/v1"
)

// traceparent is the annotation that names a trace. W3C Trace Context uses the same name for its
// header.
const traceparent = "traceparent"

// TraceContext returns the annotation "traceparent" for the span of ctx, in the format of W3C Trace
// Context. It returns nil if ctx has no span. Pass it to events.WithContextAnnotations.
func TraceContext(ctx context.Context) map[string]string {
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	if carrier[traceparent] == "" {
		return nil
	}
	// The tracestate is left out. A series keeps an annotation that newer occurrences do not have, so the tracestate of
	// one trace could remain with the traceparent of another.
	return map[string]string{traceparent: carrier[traceparent]}
}

// traceOf returns a context with the span that the annotation of event names, or without a span if
// there is no such annotation.
func traceOf(event *eventsv1.Event) context.Context {
	ctx := context.Background()
	if parent, ok := event.Annotations[traceparent]; ok {
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{traceparent: parent})
	}
	return ctx
}
