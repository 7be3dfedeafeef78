// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"k8s.io/apimachinery/pkg/runtime"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/usercode"
)

// EventRecorderAdapter gives a core/v1 recorder the calls of events.k8s.io. Over
// a [*Recorder] nothing is lost; any other recorder has no place for action and
// related object, which are left out, as client-go's adapter does. It is as safe
// for concurrent use as the recorder, and blocks as that does.
type EventRecorderAdapter struct{ recorder record.EventRecorder }

var (
	_ clientevents.EventRecorderLogger = (*EventRecorderAdapter)(nil)
	_ events.AnnotatedEventRecorder    = (*EventRecorderAdapter)(nil)
)

// FromLegacy returns the calls of events.k8s.io over recorder. Nil stays nil, and
// a nil adapter records nothing.
func FromLegacy(recorder record.EventRecorder) *EventRecorderAdapter {
	if recorder == nil {
		return nil
	}
	return &EventRecorderAdapter{recorder}
}

// NewEventRecorderAdapter is FromLegacy under the name it has in client-go.
func NewEventRecorderAdapter(recorder record.EventRecorderLogger) *EventRecorderAdapter {
	return FromLegacy(recorder)
}

// Eventf records that reason happened to regarding, with the note formatted as
// by fmt.Sprintf.
func (a *EventRecorderAdapter) Eventf(regarding, related runtime.Object,
	eventtype, reason, action, note string, args ...any,
) {
	a.AnnotatedEventf(regarding, related, nil, eventtype, reason, action, note, args...)
}

// Event is Eventf with the note as it is.
func (a *EventRecorderAdapter) Event(regarding, related runtime.Object, eventtype, reason, action, note string) {
	if a == nil {
		return
	}
	if own, ok := a.recorder.(*Recorder); ok {
		own.record(&call{
			regarding: regarding, related: related,
			eventType: eventtype, reason: reason, action: action, message: note,
		})
		return
	}
	a.recorder.Event(regarding, eventtype, reason, note)
}

// AnnotatedEventf is Eventf with annotations for the event.
func (a *EventRecorderAdapter) AnnotatedEventf(regarding, related runtime.Object, annotations map[string]string,
	eventtype, reason, action, note string, args ...any,
) {
	if a == nil {
		return
	}
	own, ok := a.recorder.(*Recorder)
	switch {
	case ok:
		own.record(&call{
			regarding: regarding, related: related, annotations: annotations,
			eventType: eventtype, reason: reason, action: action, message: usercode.Sprintf(note, args...),
		})
	case len(annotations) == 0:
		a.recorder.Eventf(regarding, eventtype, reason, note, args...)
	default:
		a.recorder.AnnotatedEventf(regarding, annotations, eventtype, reason, note, args...)
	}
}

// WithLogger returns the same over recorder.WithLogger, or a itself if its
// recorder does not log.
func (a *EventRecorderAdapter) WithLogger(logger klog.Logger) clientevents.EventRecorderLogger {
	if a == nil {
		return a
	}
	if recorder, ok := a.recorder.(record.EventRecorderLogger); ok {
		return FromLegacy(recorder.WithLogger(logger))
	}
	return a
}
