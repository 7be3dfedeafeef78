// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package calls has the calls of the old recorder.
package calls

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

const (
	reasonScaled = "Scaled"
	message      = "made"
)

type reason string

type reconciler struct {
	recorder record.EventRecorder           // want "record\\.EventRecorder becomes events\\.EventRecorder"
	deeper   struct{ record.EventRecorder } // want "record\\.EventRecorder becomes events\\.EventRecorder"
}

func (r *reconciler) scale(pod *corev1.Pod, n int, err error, why reason, args []any) { // want "scale has a reason from elsewhere and no action, so its Events repeat the reason as their action: hand in an action too, or choose one here"
	r.recorder.Event(pod, corev1.EventTypeNormal, "Created", "created it")              // want "Event becomes Eventf with action \"Created\"" "reason \"Created\" becomes the action, too: say here what was done, such as \"Create\""
	r.recorder.Event(pod, corev1.EventTypeNormal, reasonScaled, message)                // want "Event becomes Eventf with action reasonScaled"
	r.recorder.Event(pod, corev1.EventTypeWarning, "Full", "100% full")                 // want "Event becomes Eventf with action \"Full\""
	r.recorder.Event(pod, corev1.EventTypeWarning, "Failed", err.Error())               // want "Event becomes Eventf with action \"Failed\"" "reason \"Failed\" becomes the action, too: say here what was done, such as \"Create\" or \"Start\" or \"Pull\" or \"CreateDirectories\""
	r.recorder.Event(pod, corev1.EventTypeWarning, string(why), "failed: "+err.Error()) // want "Event becomes Eventf with action string\\(why\\)"
	r.recorder.Event(pod, "Normal", "Scaled", fmt.Sprintf("to %d replicas", n))         // want "Event becomes Eventf with action \"Scaled\"" "under reason Scaled, \"to %d replicas\" and \"made\" \\(calls\\.go:29\\) become one Event with the note that came first: another action, or WithNotes\\(events\\.NotesDistinct\\(n\\)\\) on the recorder, keeps them apart"
	r.recorder.Event(pod, "Normal", "Scaled", fmt.Sprintf(                              // want "Event becomes Eventf with action \"Scaled\"" "under reason Scaled, \"to %d of %d replicas\" and \"made\" \\(calls\\.go:29\\) become one Event with the note that came first: another action, or WithNotes\\(events\\.NotesDistinct\\(n\\)\\) on the recorder, keeps them apart"
		"to %d of %d replicas", // a comment
		n,
		n+1,
	))
	r.recorder.Eventf(pod, corev1.EventTypeNormal, "Scaled", "to %d replicas", n)     // want "Eventf becomes Eventf with action \"Scaled\""
	r.recorder.Eventf(pod, corev1.EventTypeNormal, "Scaled", "constant")              // want "Eventf becomes Eventf with action \"Scaled\"" "under reason Scaled, \"constant\" and \"made\" \\(calls\\.go:29\\) become one Event with the note that came first: another action, or WithNotes\\(events\\.NotesDistinct\\(n\\)\\) on the recorder, keeps them apart"
	r.recorder.Eventf(pod, corev1.EventTypeWarning, "Failed", err.Error())            // want "Eventf becomes Eventf with action \"Failed\""
	r.recorder.Eventf(pod, corev1.EventTypeWarning, "Failed", "failed: "+err.Error()) // want "Eventf becomes Eventf with action \"Failed\""
	r.recorder.Eventf(pod, corev1.EventTypeWarning, why.String(), "failed: %v", err)  // want "Eventf becomes Eventf with action eventReason"
	r.recorder.Eventf(pod, corev1.EventTypeWarning, "", "failed: %v", err)            // want "Eventf becomes Eventf with action \"\"" "\"\" is no name in UpperCamelCase, and becomes the action, too: rename the reason, and say here what was done"
	r.recorder.Eventf(                                                                // want "Eventf becomes Eventf with action \"Scaled\"" "under reason Scaled, \"to %v\" and \"made\" \\(calls\\.go:29\\) become one Event with the note that came first: another action, or WithNotes\\(events\\.NotesDistinct\\(n\\)\\) on the recorder, keeps them apart"
		pod,
		corev1.EventTypeNormal, // the type
		"Scaled",               // the reason
		"to %v",
		args...,
	)
	r.recorder.AnnotatedEventf(pod, map[string]string{"a": "b"}, "Normal", "Scaled", "to %d", n) // want "AnnotatedEventf becomes Eventf with action \"Scaled\"" "under reason Scaled, \"to %d\" and \"made\" \\(calls\\.go:29\\) become one Event with the note that came first: another action, or WithNotes\\(events\\.NotesDistinct\\(n\\)\\) on the recorder, keeps them apart"
	r.deeper.Event(pod, "Normal", "Created", "through an embedded field")                        // want "Event becomes Eventf with action \"Created\""
	r.deeper.AnnotatedEventf(pod, nil, "Normal", "Created", "through an embedded field")         // want "AnnotatedEventf becomes Eventf with action \"Created\""
	defer r.recorder.Event(pod, "Normal", "Done", "done")                                        // want "Event becomes Eventf with action \"Done\""
	go r.recorder.Eventf(pod, "Normal", "Done", "done %d", n)                                    // want "Eventf becomes Eventf with action \"Done\"" "under reason Done, \"done %d\" and \"done\" \\(calls\\.go:55\\) become one Event with the note that came first: another action, or WithNotes\\(events\\.NotesDistinct\\(n\\)\\) on the recorder, keeps them apart"
	func() { r.recorder.Event(pod, "Normal", "Inner", "in a closure") }()                        // want "Event becomes Eventf with action \"Inner\""
	(r.recorder).Event(pod, "Normal", "Paren", "in parentheses")                                 // want "Event becomes Eventf with action \"Paren\""
	if errors.Is(err, nil) {
		r.recorder.Event(arguments()) // want "the arguments come from another call: it keeps the old shape through legacy\\.AsLegacy"
	}
	f := r.recorder.Eventf // want "a method value keeps the old shape through legacy\\.AsLegacy"
	f(pod, "Normal", "Value", "a method value")
	each(r.recorder.Event) // want "a method value keeps the old shape through legacy\\.AsLegacy"
}

func (r reason) String() string { return string(r) }

func arguments() (*corev1.Pod, string, string, string) { return nil, "", "", "" }

func each[F any](f F) {}

func generic[R record.EventRecorder](r R, pod *corev1.Pod) { // want "record\\.EventRecorder becomes events\\.EventRecorder"
	r.Event(pod, "Normal", "Generic", "generic") // want "Event becomes Eventf with action \"Generic\""
}

func warn(r record.EventRecorder, pod *corev1.Pod, reason, format string, args ...any) { // want "warn has a reason from elsewhere and no action, so its Events repeat the reason as their action: hand in an action too, or choose one here" "record\\.EventRecorder becomes events\\.EventRecorder"
	r.Eventf(pod, corev1.EventTypeWarning, reason, format, args...) // want "Eventf becomes Eventf with action reason"
	r.Eventf(pod, corev1.EventTypeWarning, reason, format)          // want "Eventf becomes Eventf with action reason"
}

func wrapped(r record.EventRecorder, pod *corev1.Pod, err error) { // want "record\\.EventRecorder becomes events\\.EventRecorder"
	r.Eventf( // want "Eventf becomes Eventf with action \"Wrapped\""
		pod, // of the node
		corev1.EventTypeWarning,
		"Wrapped",
		"an argument a line: %v",
		err,
	)
	r.Event(pod, corev1.EventTypeWarning, // want "Event becomes Eventf with action \"Halved\""
		"Halved", "two lines")
	r.Eventf(pod, corev1.EventTypeWarning, "FailedToReconcileEverything", "the line gets longer than 120 columns: %v", err) // want "Eventf becomes Eventf with action \"FailedToReconcileEverything\""
	r.AnnotatedEventf(                                                                                                      // want "AnnotatedEventf becomes Eventf with action \"Wrapped\""
		pod,
		nil,
		corev1.EventTypeWarning,
		"Wrapped",
		err.Error(),
	)
	r.Event( // want "Event becomes Eventf with action \"Wrapped\"" "under reason Wrapped, \"an argument a line: %v, %s\" and \"an argument a line: %v\" \\(calls\\.go:83\\) become one Event with the note that came first: another action, or WithNotes\\(events\\.NotesDistinct\\(n\\)\\) on the recorder, keeps them apart"
		pod,
		corev1.EventTypeWarning,
		"Wrapped",
		fmt.Sprintf("an argument a line: %v, %s", err, pod.Name),
	)
	r.Event(pod, corev1.EventTypeWarning, "FailedToReconcileEverythingInThisNamespace", fmt.Sprintf("the call has two lines: %v", // want "Event becomes Eventf with action \"FailedToReconcileEverythingInThisNamespace\""
		err))
	r.Event(pod, corev1.EventTypeWarning, "FailedToReconcileEverythingInThisNamespaceOrElsewhere", // want "Event becomes Eventf with action \"FailedToReconcileEverythingInThisNamespaceOrElsewhere\""
		"the note has its own line")
	r.Event(pod, corev1.EventTypeWarning, "FailedToReconcileEverythingInThisNamespaceOrElsewhere", // want "Event becomes Eventf with action \"FailedToReconcileEverythingInThisNamespaceOrElsewhere\""
		err.Error())
	if err != nil {
		r.Eventf(pod, corev1.EventTypeWarning, "FailedToReconcileEverythingInThisNamespaceOrElsewhere", "long from the start: %v", err) // want "Eventf becomes Eventf with action \"FailedToReconcileEverythingInThisNamespaceOrElsewhere\"" "under reason FailedToReconcileEverythingInThisNamespaceOrElsewhere, \"long from the start: %v\" and \"the note has its own line\" \\(calls\\.go:108\\) become one Event with the note that came first: another action, or WithNotes\\(events\\.NotesDistinct\\(n\\)\\) on the recorder, keeps them apart"
	}
}
