// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

type traceKey struct{}

func inTrace(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, traceKey{}, id)
}

// traceOf has an annotation for a context that is in a trace.
func traceOf(ctx context.Context) map[string]string {
	if id, ok := ctx.Value(traceKey{}).(string); ok {
		return map[string]string{"trace": id, "sampled": "true"}
	}
	return nil
}

// What a context adds to an Event, and which one wins.
//
// Caught: an older occurrence that wins; the context's annotation before the call's; a WithContext that adds to the last.
func TestWithContext(t *testing.T) {
	first, second := inTrace(t.Context(), "1"), inTrace(t.Context(), "2")
	tests := []struct {
		name string
		opts []events.Option
		emit func(*events.Recorder)
		want map[string]string
	}{
		{"no function", nil, func(r *events.Recorder) {
			killing(r.WithContext(first))
		}, nil},
		{"a function", []events.Option{events.WithContextAnnotations(traceOf)}, func(r *events.Recorder) {
			killing(r.WithContext(first))
		}, map[string]string{"trace": "1", "sampled": "true"}},
		{"nil function", []events.Option{events.WithContextAnnotations(nil)}, func(r *events.Recorder) {
			killing(r.WithContext(first))
		}, nil},
		{"without a context", []events.Option{events.WithContextAnnotations(traceOf)}, func(r *events.Recorder) {
			r.WithContext(first)
			killing(r)
		}, nil},
		{"the newest occurrence wins", []events.Option{events.WithContextAnnotations(traceOf)}, func(r *events.Recorder) {
			killing(r.WithContext(first))
			killing(r.WithContext(second))
		}, map[string]string{"trace": "2", "sampled": "true"}},
		{"nothing is deleted", []events.Option{events.WithContextAnnotations(traceOf)}, func(r *events.Recorder) {
			killing(r.WithContext(first))
			killing(r)
		}, map[string]string{"trace": "1", "sampled": "true"}},
		{"the last context replaces", []events.Option{events.WithContextAnnotations(traceOf)}, func(r *events.Recorder) {
			killing(r.WithContext(first).WithContext(t.Context()))
		}, nil},
		{"it outlives WithLogger", []events.Option{events.WithContextAnnotations(traceOf)}, func(r *events.Recorder) {
			killing(r.WithContext(first).WithLogger(klog.Logger{}))
		}, map[string]string{"trace": "1", "sampled": "true"}},
		{"the call wins", []events.Option{events.WithContextAnnotations(traceOf)}, func(r *events.Recorder) {
			events.AnnotatedEventf(r.WithContext(first), newPod("web"), nil, map[string]string{"trace": "mine"},
				corev1.EventTypeNormal, "Killing", "Kill", "stopping")
		}, map[string]string{"trace": "mine", "sampled": "true"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sink := eventstest.NewSink()
			b, r := start(t, sink, tt.opts...)
			tt.emit(r)
			flush(t, b)
			if diff := cmp.Diff(tt.want, sink.Events()[0].Annotations); diff != "" {
				t.Errorf("annotations (-want +got):\n%s", diff)
			}
		})
	}
}

// A panic of the function is logged, and the Event is recorded without its annotations. So is one for a nil context.
func TestWithContextPanics(t *testing.T) {
	var out strings.Builder
	sink := eventstest.NewSink()
	b, r := start(t, sink,
		events.WithContextAnnotations(func(ctx context.Context) map[string]string { panic("no trace") }),
		events.WithLogger(textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(&out)))))
	killing(r.WithContext(t.Context()))
	flush(t, b)
	if got := sink.Events(); len(got) != 1 || len(got[0].Annotations) != 0 {
		t.Errorf("stored %v, want one without annotations", got)
	}
	if got := out.String(); !strings.Contains(got, "no trace") || !strings.Contains(got, `whose="context annotations"`) {
		t.Errorf("logged %q, want the panic", got)
	}
}

// The function's map belongs to its owner, which may change it later.
func TestWithContextKeepsNothing(t *testing.T) {
	mine := map[string]string{"trace": "1"}
	sink := eventstest.NewSink()
	b, r := start(t, sink, events.WithContextAnnotations(func(context.Context) map[string]string { return mine }))
	traced := r.WithContext(t.Context())
	mine["trace"] = "2"
	killing(traced)
	flush(t, b)
	if got := sink.Events()[0].Annotations["trace"]; got != "1" {
		t.Errorf("trace = %q, want 1", got)
	}
}

// The test kit's recorder has the same method, and is one that code may hold.
func TestRecorderOfATestWithContext(t *testing.T) {
	recorder := eventstest.NewRecorder(t, events.WithContextAnnotations(traceOf))
	var held *events.Recorder = recorder.Recorder
	killing(held.WithContext(inTrace(t.Context(), "1")))
	if got := recorder.Events()[0].Annotations["trace"]; got != "1" {
		t.Errorf("trace = %q, want 1", got)
	}
}

func killing(r events.EventRecorder) {
	r.Eventf(newPod("web"), nil, corev1.EventTypeNormal, "Killing", "Kill", "stopping")
}
