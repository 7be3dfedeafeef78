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

// distinctNotes is the maximum number of different messages, for one object and reason, that get
// separate Events. It is 10 because client-go's correlator, which the recorders of tools/record
// use, combines similar Events beyond this number.
const distinctNotes = 10

// AsLegacy returns a recorder that implements client-go's old interface,
// record.EventRecorderLogger, and records through recorder. It is for code that takes only the old
// interface, such as leader election.
//
// The old interface has no action and no related object, so the reason is recorded as the action
// too. Callers of the old interface expect occurrences with different messages to have different
// Events. Therefore, if recorder belongs to this SDK, AsLegacy uses a copy of recorder with the
// policy [events.NotesDistinct] and a limit of 10 notes. A policy that the option
// [events.WithNotePolicy] sets for a reason still applies. The messages are formatted by recorder.
// Annotations are recorded if recorder has a method AnnotatedEventf.
//
// The result is a [*Recorder], with two exceptions. If recorder is nil, AsLegacy returns nil. If
// recorder is the result of [FromLegacy], AsLegacy returns the original recorder, unless the
// original recorder has no method WithLogger. The result is safe for concurrent use if recorder is,
// and does not block if recorder does not.
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
	// The recorders of package events and of its test kit have this method.
	type withNotePolicy interface {
		WithNotePolicy(events.NotePolicy) *events.Recorder
	}
	if own, ok := recorder.(withNotePolicy); ok {
		recorder = own.WithNotePolicy(events.NotesDistinct(distinctNotes))
	}
	return &Recorder{recorder, true}
}

// EventRecorderAdapter implements client-go's new recorder interface, events.EventRecorder, and
// records through a recorder of the old interface, record.EventRecorder. [FromLegacy] makes one.
//
// If the old recorder is a [*Recorder], the action and the related object are recorded, too. The
// methods of any other recorder have no parameters for them, so they are left out, as in
// client-go's adapter. An EventRecorderAdapter is safe for concurrent use if the old recorder is,
// and does not block if the old recorder does not.
type EventRecorderAdapter struct{ recorder record.EventRecorder }

var (
	_ clientevents.EventRecorderLogger = (*EventRecorderAdapter)(nil)
	_ events.AnnotatedEventRecorder    = (*EventRecorderAdapter)(nil)
)

// FromLegacy returns a recorder that implements client-go's new interface, events.EventRecorder,
// and records through recorder. If recorder is nil, FromLegacy returns nil. A nil
// EventRecorderAdapter records nothing.
func FromLegacy(recorder record.EventRecorder) *EventRecorderAdapter {
	if recorder == nil {
		return nil
	}
	return &EventRecorderAdapter{recorder}
}

// Eventf records one occurrence, with the given reason, about the object regarding. It formats the
// note as [events.Recorder.Eventf] does.
func (a *EventRecorderAdapter) Eventf(regarding, related runtime.Object,
	eventtype, reason, action, note string, args ...any,
) {
	a.AnnotatedEventf(regarding, related, nil, eventtype, reason, action, note, args...)
}

// Event is like Eventf, but records the note verbatim, without formatting it.
func (a *EventRecorderAdapter) Event(regarding, related runtime.Object, eventtype, reason, action, note string) {
	a.AnnotatedEventf(regarding, related, nil, eventtype, reason, action, "%s", note)
}

// AnnotatedEventf is like Eventf, and also adds annotations to the Event.
func (a *EventRecorderAdapter) AnnotatedEventf(regarding, related runtime.Object, annotations map[string]string,
	eventtype, reason, action, note string, args ...any,
) {
	if a == nil {
		return
	}
	if own, ok := a.recorder.(*Recorder); ok {
		events.AnnotatedEventf(own.target, regarding, related, annotations, eventtype, reason, action, note, args...)
		return
	}
	message := usercode.FormatNote(note, args)
	if len(annotations) == 0 {
		a.recorder.Event(regarding, eventtype, reason, message)
		return
	}
	a.recorder.AnnotatedEventf(regarding, annotations, eventtype, reason, "%s", message)
}

// WithLogger returns a copy of a that logs to logger. If the old recorder has no method WithLogger,
// it returns a itself.
func (a *EventRecorderAdapter) WithLogger(logger klog.Logger) clientevents.EventRecorderLogger {
	if a == nil {
		return a
	}
	if recorder, ok := a.recorder.(record.EventRecorderLogger); ok {
		return FromLegacy(recorder.WithLogger(logger))
	}
	return a
}
