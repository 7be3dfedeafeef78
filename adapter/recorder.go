// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
)

// Recorder records through whichever broadcaster the adapter uses at that
// moment. It keeps the promises of [events.Recorder].
type Recorder struct {
	adapter *Adapter
	series  *events.Recorder
	legacy  *events.Recorder
}

// recorder has the methods of both kinds of recorders.
type recorder interface {
	clientevents.EventRecorderLogger
	events.AnnotatedEventRecorder
	Event(regarding, related runtime.Object, eventtype, reason, action, note string)
}

var _ recorder = (*Recorder)(nil)

// newRecorder returns a recorder that reports as source. core/v1 has the reporting
// instance in source.host. An empty one is the broadcaster's.
func newRecorder(a *Adapter, scheme *runtime.Scheme, source corev1.EventSource) *Recorder {
	series := a.series.NewRecorder(scheme, source.Component).(*events.Recorder).
		WithReportingInstance(source.Host).(*events.Recorder)
	source.Host = series.ReportingInstance()
	core := a.legacy.NewEventsRecorder(scheme, source).WithLabels(series.Labels()).(*events.Recorder)
	return &Recorder{adapter: a, series: series, legacy: core}
}

// with applies a method to both recorders.
func (r *Recorder) with(
	apply func(*events.Recorder) clientevents.EventRecorderLogger,
) clientevents.EventRecorderLogger {
	return &Recorder{
		adapter: r.adapter, series: apply(r.series).(*events.Recorder), legacy: apply(r.legacy).(*events.Recorder),
	}
}

func (r *Recorder) current() *events.Recorder {
	if r.adapter.viaLegacy.Load() {
		return r.legacy
	}
	return r.series
}

// Eventf is [events.Recorder.Eventf].
func (r *Recorder) Eventf(
	regarding, related runtime.Object, eventtype, reason, action, note string, args ...any,
) {
	r.current().Eventf(regarding, related, eventtype, reason, action, note, args...)
}

// AnnotatedEventf is [events.Recorder.AnnotatedEventf].
func (r *Recorder) AnnotatedEventf(
	regarding, related runtime.Object, annotations map[string]string,
	eventtype, reason, action, note string, args ...any,
) {
	r.current().AnnotatedEventf(regarding, related, annotations, eventtype, reason, action, note, args...)
}

// Event is [events.Recorder.Event].
func (r *Recorder) Event(regarding, related runtime.Object, eventtype, reason, action, note string) {
	r.current().Event(regarding, related, eventtype, reason, action, note)
}

// WithLogger is [events.Recorder.WithLogger].
func (r *Recorder) WithLogger(logger klog.Logger) clientevents.EventRecorderLogger {
	return r.with(func(one *events.Recorder) clientevents.EventRecorderLogger { return one.WithLogger(logger) })
}

// WithNotes is [events.Recorder.WithNotes]. Through package legacy the message
// always tells occurrences apart, as with client-go.
func (r *Recorder) WithNotes(policy events.NotePolicy) clientevents.EventRecorderLogger {
	return r.with(func(one *events.Recorder) clientevents.EventRecorderLogger { return one.WithNotes(policy) })
}

// WithContext is [events.Recorder.WithContext], also through package legacy.
func (r *Recorder) WithContext(ctx context.Context) clientevents.EventRecorderLogger {
	return r.with(func(one *events.Recorder) clientevents.EventRecorderLogger { return one.WithContext(ctx) })
}

// WithLabels is [events.Recorder.WithLabels], also through package legacy.
func (r *Recorder) WithLabels(labels map[string]string) clientevents.EventRecorderLogger {
	return r.with(func(one *events.Recorder) clientevents.EventRecorderLogger { return one.WithLabels(labels) })
}
