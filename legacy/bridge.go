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

// AsLegacy returns a recorder of the old API that records to recorder. It is for code
// that takes only the old API, such as leader election. AsLegacy of nil is nil. AsLegacy
// of an adapter that FromLegacy made returns the original recorder. Any other result is a
// [*Recorder].
//
// The reason is used as the action, too, and there is no related object. Callers of the
// old API distinguish occurrences by message. So a recorder of this SDK gets the policy
// NotesDistinct, whatever its broadcaster has. Annotations are recorded if recorder has
// AnnotatedEventf. It formats the messages. The result is safe for concurrent use, and
// does not block, if that is true of recorder.
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
	type noted interface { // as the SDK's recorders are, those of its test kit too
		WithNotePolicy(events.NotePolicy) *events.Recorder
	}
	if n, ok := recorder.(noted); ok {
		recorder = n.WithNotePolicy(events.NotesDistinct(distinctNotes))
	}
	return &Recorder{recorder, true}
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

// Eventf records that reason happened to regarding, with the note formatted as by
// [events.Recorder.Eventf].
func (a *EventRecorderAdapter) Eventf(regarding, related runtime.Object,
	eventtype, reason, action, note string, args ...any,
) {
	a.AnnotatedEventf(regarding, related, nil, eventtype, reason, action, note, args...)
}

// Event is Eventf with an unformatted note.
func (a *EventRecorderAdapter) Event(regarding, related runtime.Object, eventtype, reason, action, note string) {
	a.AnnotatedEventf(regarding, related, nil, eventtype, reason, action, "%s", note)
}

// AnnotatedEventf is Eventf with annotations for the event.
func (a *EventRecorderAdapter) AnnotatedEventf(regarding, related runtime.Object, annotations map[string]string,
	eventtype, reason, action, note string, args ...any,
) {
	if a == nil {
		return
	}
	if own, ok := a.recorder.(*Recorder); ok {
		events.AnnotatedEventf(own.to, regarding, related, annotations, eventtype, reason, action, note, args...)
		return
	}
	message := usercode.FormatNote(note, args)
	if len(annotations) == 0 {
		a.recorder.Event(regarding, eventtype, reason, message)
		return
	}
	a.recorder.AnnotatedEventf(regarding, annotations, eventtype, reason, "%s", message)
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
