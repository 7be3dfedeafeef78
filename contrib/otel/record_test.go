// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package otelevents_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/log"
	"go.opentelemetry.io/otel/trace"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	otelevents "github.com/eventseries/eventseries/contrib/otel"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/sinks"
)

var began = time.Date(2026, 11, 22, 9, 0, 0, 123456000, time.UTC)

// record is a log record that a test expects.
type record struct {
	Timestamp    time.Time
	Severity     log.Severity
	SeverityText string
	Body         string
	Trace, Span  string
	Scope        string
	Attributes   map[string]any
}

// The names, which collectors' users have in their queries.
//
// Caught: another name; a name without a value; the time of the first occurrence; the first note
// under NotesLatest.
func TestRecord(t *testing.T) {
	const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	single := eventsv1.Event{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web.1"}, EventTime: metav1.NewMicroTime(began),
		ReportingController: "example.com/c", ReportingInstance: "c-1", Action: "Pulling", Reason: "Pulled",
		Regarding: corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "shop", Name: "web", UID: "u"},
		Note:      "image is present", Type: "Normal",
	}
	series := single
	series.Annotations = map[string]string{"traceparent": parent, "eventseries.dev/latest-note": "no space left"}
	series.Type, series.Note = "Warning", "no such image"
	series.Series = &eventsv1.EventSeries{Count: 7, LastObservedTime: metav1.NewMicroTime(began.Add(time.Minute))}
	series.Regarding.FieldPath, series.Regarding.ResourceVersion = "spec.containers{web}", "12"
	series.Related = &corev1.ObjectReference{Kind: "Node", Name: "n1"}
	broken := single
	broken.Annotations = map[string]string{"traceparent": "none"}

	common := map[string]any{
		"k8s.event.name": "web.1", "k8s.event.reason": "Pulled", "k8s.event.action": "Pulling",
		"k8s.event.start_time": "2026-11-22T09:00:00.123456Z", "k8s.event.count": int64(1), "k8s.namespace.name": "shop",
		"k8s.object.kind": "Pod", "k8s.object.name": "web", "k8s.object.uid": "u", "k8s.object.api_version": "v1",
		"eventseries.reporting_controller": "example.com/c", "eventseries.reporting_instance": "c-1",
	}
	const scope = "github.com/eventseries/eventseries/contrib/otel"
	info := record{began, log.SeverityInfo, "Normal", "image is present", "", "", scope, common}
	tests := map[string]struct {
		event eventsv1.Event
		want  record
	}{
		"a single":       {single, info},
		"a broken trace": {broken, info},
		"a series": {series, record{
			began.Add(time.Minute), log.SeverityWarn, "Warning", "no space left",
			"0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", scope, with(common, map[string]any{
				"k8s.event.count": int64(7), "k8s.object.fieldpath": "spec.containers{web}",
				"k8s.object.resource_version": "12",
				"eventseries.related.kind":    "Node", "eventseries.related.name": "n1",
			}),
		}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			e := &exporter{}
			sink := newSink(t, provide(e))
			if _, err := sink.Create(t.Context(), &tt.event); err != nil {
				t.Fatal(err)
			}
			fixture.Flush(t, sink)
			r := e.records[0]
			got := record{
				Timestamp: r.Timestamp().UTC(), Severity: r.Severity(), SeverityText: r.SeverityText(),
				Body: r.Body().AsString(), Scope: r.InstrumentationScope().Name, Attributes: attributesOf(r),
			}
			if id := r.TraceID(); id.IsValid() {
				got.Trace, got.Span = id.String(), r.SpanID().String()
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("record (-want +got):\n%s", diff)
			}
		})
	}
}

func with(all, more map[string]any) map[string]any {
	sum := map[string]any{}
	for _, m := range []map[string]any{all, more} {
		for k, v := range m {
			sum[k] = v
		}
	}
	return sum
}

// Where the trace and the link of a record come from.
//
// Caught: the parent of the object as the parent of the Event.
func TestTraceOfARecord(t *testing.T) {
	const (
		one  = "00-0100000000000000000000000000000a-010000000000000b-01"
		two  = "00-0200000000000000000000000000000a-020000000000000b-01"
		link = "00-0300000000000000000000000000000a-030000000000000b-01"
	)
	for name, test := range map[string]struct {
		annotations map[string]string
		want        string // the trace, a space, and the link
	}{
		"nothing": {nil, " "},
		"the name of this package": {
			map[string]string{"traceparent": one},
			"0100000000000000000000000000000a ",
		},
		"the name that is reserved": {
			map[string]string{"tracing.k8s.io/traceparent": two},
			"0200000000000000000000000000000a ",
		},
		"both": {
			map[string]string{"traceparent": one, "tracing.k8s.io/traceparent": two},
			"0100000000000000000000000000000a ",
		},
		"the first is broken": {
			map[string]string{"traceparent": "1", "tracing.k8s.io/traceparent": two},
			"0200000000000000000000000000000a ",
		},
		"a link": {
			map[string]string{"eventseries.dev/trace-link": link},
			" 0300000000000000000000000000000a/030000000000000b",
		},
		"a broken link": {
			map[string]string{"eventseries.dev/trace-link": "3"},
			" ",
		},
		"a link, and a trace of its own": {
			map[string]string{"eventseries.dev/trace-link": link, "traceparent": one},
			"0100000000000000000000000000000a ",
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := &exporter{}
			sink := newSink(t, provide(e))
			event := &eventsv1.Event{ObjectMeta: metav1.ObjectMeta{Annotations: test.annotations}}
			if _, err := sink.Create(t.Context(), event); err != nil {
				t.Fatal(err)
			}
			fixture.Flush(t, sink)
			r := e.records[0]
			got := " "
			if r.TraceID().IsValid() {
				got = r.TraceID().String() + " "
			}
			if all := attributesOf(r); all["eventseries.link.trace_id"] != nil {
				got += fmt.Sprint(all["eventseries.link.trace_id"], "/", all["eventseries.link.span_id"])
			}
			if got != test.want {
				t.Errorf("trace and link %q, want %q", got, test.want)
			}
		})
	}
}

// The trace of the regarding object goes into the Event, and from there into the records. A span of
// the context wins.
func TestTraceLink(t *testing.T) {
	const parent = "00-0300000000000000000000000000000a-030000000000000b-01"
	pod := func(annotations map[string]string) *corev1.Pod {
		return &corev1.Pod{
			TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
			ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1", Annotations: annotations},
		}
	}
	span := trace.ContextWithSpanContext(t.Context(), trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2},
	}))
	traced := map[string]string{
		"tracing.k8s.io/traceparent": parent,
		"tracing.k8s.io/tracestate":  "vendor=1",
		"tracing.k8s.io/baggage":     "user=secret",
	}
	for name, test := range map[string]struct {
		ctx         context.Context
		regarding   runtime.Object
		annotations map[string]string
		links       bool
	}{
		"no trace": {t.Context(), pod(nil), nil, false},
		"an object": {
			t.Context(), pod(traced), map[string]string{"eventseries.dev/trace-link": parent}, true,
		},
		"a reference": {
			t.Context(), &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web", UID: "1"}, nil, false,
		},
		"an object, and a span": {span, pod(traced), map[string]string{
			"eventseries.dev/trace-link": parent,
			"traceparent":                "00-01000000000000000000000000000000-0200000000000000-00",
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			e, server := &exporter{}, eventstest.NewSink()
			b, r := start(t, sinks.Tee(server, newSink(t, provide(e))),
				events.WithContextAnnotations(otelevents.TraceContext), events.WithObjectAnnotations(otelevents.TraceLink))
			r.WithContext(test.ctx).Eventf(test.regarding, nil, "Normal", "Pulled", "Pull", "")
			fixture.Flush(t, b)
			fixture.End(t, b)
			if diff := cmp.Diff(test.annotations, server.Events()[0].Annotations); diff != "" {
				t.Errorf("annotations (-want +got):\n%s", diff)
			}
			_, links := attributesOf(e.records[0])["eventseries.link.trace_id"]
			if links != test.links {
				t.Errorf("the record has a link: %v, want %v", links, test.links)
			}
		})
	}
}

// A trace goes from a context into the Event, and from the Event into the record. Each record has
// the newest trace.
func TestTraceContext(t *testing.T) {
	inSpan := func(span byte) context.Context {
		return trace.ContextWithSpanContext(t.Context(), trace.NewSpanContext(trace.SpanContextConfig{
			TraceID: trace.TraceID{1}, SpanID: trace.SpanID{span}, TraceFlags: trace.FlagsSampled,
		}))
	}
	if got := otelevents.TraceContext(t.Context()); got != nil {
		t.Errorf("TraceContext without a span = %v, want nil", got)
	}
	e, server := &exporter{}, eventstest.NewSink()
	b, r := start(t, sinks.Tee(server, newSink(t, provide(e))), events.WithContextAnnotations(otelevents.TraceContext))
	for _, span := range []byte{2, 3} {
		emit(r.WithContext(inSpan(span)), 1, "web")
		fixture.Flush(t, b)
	}
	fixture.End(t, b)
	const want = "00-01000000000000000000000000000000-0300000000000000-01"
	if got := server.Events()[0].Annotations; !cmp.Equal(got, map[string]string{"traceparent": want}) {
		t.Errorf("annotations %v, want traceparent %s", got, want)
	}
	var spans []string
	for _, r := range e.records {
		spans = append(spans, r.SpanID().String())
	}
	if diff := cmp.Diff([]string{"0200000000000000", "0300000000000000"}, spans); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
}
