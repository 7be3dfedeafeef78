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

// distinctNotes is how many messages per object and reason stay apart. It is
// where client-go's correlator begins to combine similar events.
const distinctNotes = 10

// What a recorder of events.k8s.io may have beyond Eventf. The SDK's have all.
type (
	noted interface {
		WithNotes(events.NotePolicy) clientevents.EventRecorderLogger
	}
	verbatim interface {
		Event(regarding, related runtime.Object, eventtype, reason, action, note string)
	}
)

// legacyRecorder is what AsLegacy returns.
type legacyRecorder struct{ recorder clientevents.EventRecorder }

var _ record.EventRecorderLogger = legacyRecorder{}

// AsLegacy gives recorder the calls of the old API, for code that takes nothing
// else, such as leader election. Nil stays nil, and what FromLegacy wrapped comes
// out as it was. The reason is the
// action as well, and there is no related object. Such callers tell occurrences
// apart by their message, so a recorder of this SDK is used under NotesDistinct
// whatever the policy of its broadcaster. Annotations reach recorders that have
// AnnotatedEventf. The result is as safe for concurrent use as recorder, and
// blocks as that does.
func AsLegacy(recorder clientevents.EventRecorder) record.EventRecorderLogger {
	if recorder == nil {
		return nil
	}
	if a, ok := recorder.(*EventRecorderAdapter); ok {
		if a == nil {
			return nil
		}
		if wrapped, ok := a.recorder.(record.EventRecorderLogger); ok {
			return wrapped
		}
	}
	if n, ok := recorder.(noted); ok {
		recorder = n.WithNotes(events.NotesDistinct(distinctNotes))
	}
	return legacyRecorder{recorder}
}

// Event records message as it is.
func (l legacyRecorder) Event(object runtime.Object, eventtype, reason, message string) {
	if v, ok := l.recorder.(verbatim); ok {
		v.Event(object, nil, eventtype, reason, reason, message)
		return
	}
	l.recorder.Eventf(object, nil, eventtype, reason, reason, "%s", message)
}

// Eventf records a message that the recorder formats.
func (l legacyRecorder) Eventf(object runtime.Object, eventtype, reason, messageFmt string, args ...any) {
	l.recorder.Eventf(object, nil, eventtype, reason, reason, messageFmt, args...)
}

// AnnotatedEventf is Eventf with annotations for the event.
func (l legacyRecorder) AnnotatedEventf(object runtime.Object, annotations map[string]string,
	eventtype, reason, messageFmt string, args ...any,
) {
	events.AnnotatedEventf(l.recorder, object, nil, annotations, eventtype, reason, reason, messageFmt, args...)
}

// WithLogger returns the same over the recorder's WithLogger, if it has one.
func (l legacyRecorder) WithLogger(logger klog.Logger) record.EventRecorderLogger {
	if r, ok := l.recorder.(clientevents.EventRecorderLogger); ok {
		return legacyRecorder{r.WithLogger(logger)}
	}
	return l
}

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
