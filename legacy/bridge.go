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

// distinctNotes is the number of messages per object and reason that have Events of
// their own. client-go's correlator combines similar events beyond that number.
const distinctNotes = 10

// Optional methods of a recorder of events.k8s.io. The SDK's recorders have all.
type (
	noted interface {
		WithNotes(events.NotePolicy) *events.Recorder
	}
	verbatim interface {
		Event(regarding, related runtime.Object, eventtype, reason, action, note string)
	}
)

// legacyRecorder is what AsLegacy returns.
type legacyRecorder struct{ recorder clientevents.EventRecorder }

var _ record.EventRecorderLogger = legacyRecorder{}

// AsLegacy returns a recorder of the old API that records to recorder. It is for code
// that takes only the old API, such as leader election. AsLegacy of nil is nil. AsLegacy
// of an adapter that FromLegacy made returns the original recorder.
//
// The reason is used as the action, too, and there is no related object. Callers of the
// old API distinguish occurrences by message. So a recorder of this SDK gets the policy
// NotesDistinct, whatever its broadcaster has. Annotations are recorded if recorder has
// AnnotatedEventf. The result is safe for concurrent use, and does not block, if that
// is true of recorder.
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

// Event records message unchanged.
func (l legacyRecorder) Event(object runtime.Object, eventtype, reason, message string) {
	l.event(object, nil, eventtype, reason, reason, message)
}

func (l legacyRecorder) event(regarding, related runtime.Object, eventtype, reason, action, note string) {
	if v, ok := l.recorder.(verbatim); ok {
		v.Event(regarding, related, eventtype, reason, action, note)
		return
	}
	l.recorder.Eventf(regarding, related, eventtype, reason, action, "%s", note)
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

// WithLogger returns a recorder that logs to logger, if the wrapped recorder can log.
func (l legacyRecorder) WithLogger(logger klog.Logger) record.EventRecorderLogger {
	if r, ok := l.recorder.(clientevents.EventRecorderLogger); ok {
		return legacyRecorder{r.WithLogger(logger)}
	}
	return l
}

// EventRecorderAdapter is a recorder of events.k8s.io that records to a core/v1
// recorder. If that is a [*Recorder], or made by [AsLegacy], nothing is lost. Any other recorder cannot take
// action and related object, so these are left out, as in client-go's adapter. It is
// safe for concurrent use, and does not block, if that is true of the recorder.
type EventRecorderAdapter struct{ recorder record.EventRecorder }

var (
	_ clientevents.EventRecorderLogger = (*EventRecorderAdapter)(nil)
	_ events.AnnotatedEventRecorder    = (*EventRecorderAdapter)(nil)
)

// FromLegacy returns a recorder of events.k8s.io that records to recorder. FromLegacy
// of nil is nil, and a nil adapter records nothing.
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

// Eventf records that reason happened to regarding, with the note formatted as by
// [events.Recorder.Eventf].
func (a *EventRecorderAdapter) Eventf(regarding, related runtime.Object,
	eventtype, reason, action, note string, args ...any,
) {
	a.AnnotatedEventf(regarding, related, nil, eventtype, reason, action, note, args...)
}

// inner returns the recorder of events.k8s.io behind the old one, nil if there is none.
func (a *EventRecorderAdapter) inner() clientevents.EventRecorder {
	switch own := a.recorder.(type) {
	case *Recorder:
		return own.recorder
	case legacyRecorder:
		return own.recorder
	}
	return nil
}

// Event is Eventf with an unformatted note.
func (a *EventRecorderAdapter) Event(regarding, related runtime.Object, eventtype, reason, action, note string) {
	if a == nil {
		return
	}
	if to := a.inner(); to != nil {
		legacyRecorder{to}.event(regarding, related, eventtype, reason, action, note)
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
	to := a.inner()
	switch {
	case to != nil:
		events.AnnotatedEventf(to, regarding, related, annotations, eventtype, reason, action, note, args...)
	case len(annotations) == 0 && len(args) == 0:
		a.recorder.Event(regarding, eventtype, reason, usercode.FormatNote(note, nil))
	case len(annotations) == 0:
		a.recorder.Eventf(regarding, eventtype, reason, note, args...)
	case len(args) == 0:
		a.recorder.AnnotatedEventf(regarding, annotations, eventtype, reason, "%s", usercode.FormatNote(note, nil))
	default:
		a.recorder.AnnotatedEventf(regarding, annotations, eventtype, reason, note, args...)
	}
}

// WithLogger returns an adapter that logs to logger, or a if its recorder cannot log.
func (a *EventRecorderAdapter) WithLogger(logger klog.Logger) clientevents.EventRecorderLogger {
	if a == nil {
		return a
	}
	if recorder, ok := a.recorder.(record.EventRecorderLogger); ok {
		return FromLegacy(recorder.WithLogger(logger))
	}
	return a
}
