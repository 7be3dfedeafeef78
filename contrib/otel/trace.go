// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package otelevents

import (
	"context"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
)

// The annotations that name a trace. W3C Trace Context has headers with the same names.
const (
	traceparent = "traceparent"
	tracestate  = "tracestate"
	// reserved is the prefix with which Kubernetes reserves these names for all objects (KEP-5915).
	reserved = "tracing.k8s.io/"
	// traceLink names the trace of the regarding object.
	traceLink = "eventseries.dev/trace-link"
)

// TraceContext returns the annotation "traceparent" for the span of ctx, in the format of W3C Trace
// Context. It returns nil if ctx has no span. Pass it to events.WithContextAnnotations.
func TraceContext(ctx context.Context) map[string]string { return annotate(ctx, traceparent) }

// TraceLink returns the annotation "eventseries.dev/trace-link", in the format of W3C Trace Context,
// with the trace that the annotations of regarding name. In Kubernetes, this is the trace of the
// request that has changed the object. TraceLink returns nil if the object names no trace. Pass it
// to events.WithObjectAnnotations.
//
// TraceLink reads the annotation "traceparent" and, if that is missing or invalid,
// "tracing.k8s.io/traceparent" (KEP-5915).
func TraceLink(regarding runtime.Object) map[string]string {
	object, err := meta.Accessor(regarding)
	if err != nil {
		return nil // a reference has no annotations
	}
	return annotate(inSpan(spanOf(object.GetAnnotations())), traceLink)
}

// annotate returns the annotation key for the span of ctx, or nil if there is no span.
//
// The tracestate is left out. A series keeps an annotation that newer occurrences do not have, so
// the tracestate of one trace could remain with the traceparent of another.
func annotate(ctx context.Context, key string) map[string]string {
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	if carrier[traceparent] == "" {
		return nil
	}
	return map[string]string{key: carrier[traceparent]}
}

// spanOf returns the span that the annotations of an object name, or an invalid one if they name
// none. It reads no baggage, because baggage may have any content.
func spanOf(annotations map[string]string) trace.SpanContext {
	for _, prefix := range []string{"", reserved} {
		span := parse(annotations[prefix+traceparent], annotations[prefix+tracestate])
		if span.IsValid() {
			return span
		}
	}
	return trace.SpanContext{}
}

// parse returns the span of the headers of W3C Trace Context, or an invalid one.
func parse(parent, state string) trace.SpanContext {
	headers := propagation.MapCarrier{
		traceparent: parent,
		tracestate:  state,
	}
	return trace.SpanContextFromContext(propagation.TraceContext{}.Extract(context.Background(), headers))
}

// inSpan returns a context with the span.
func inSpan(span trace.SpanContext) context.Context {
	return trace.ContextWithRemoteSpanContext(context.Background(), span)
}
