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
	recorder record.EventRecorder
	deeper   struct{ record.EventRecorder }
}

// Scale is an action, and example.com is none.
func (r *reconciler) Scale(pod *corev1.Pod, n int, err error, why reason, args []any) {
	r.recorder.Event(pod, corev1.EventTypeNormal, "Created", "created it")
	r.recorder.Event(pod, corev1.EventTypeNormal, reasonScaled, message)
	r.recorder.Event(pod, corev1.EventTypeWarning, "Full", "100% full")
	r.recorder.Event(pod, corev1.EventTypeWarning, "Failed", err.Error())
	r.recorder.Event(pod, corev1.EventTypeWarning, string(why), "failed: "+err.Error())
	r.recorder.Event(pod, "Normal", "Scaled", fmt.Sprintf("to %d replicas", n))
	r.recorder.Event(pod, "Normal", "Scaled", fmt.Sprintf(
		"to %d of %d replicas", // a comment
		n,
		n+1,
	))
	r.recorder.Eventf(pod, corev1.EventTypeNormal, "Scaled", "to %d replicas", n)
	r.recorder.Eventf(pod, corev1.EventTypeNormal, "Scaled", "constant")
	r.recorder.Eventf(pod, corev1.EventTypeWarning, "Failed", err.Error())
	r.recorder.Eventf(pod, corev1.EventTypeWarning, "BuildModelFailed", "failed: "+err.Error())
	r.recorder.Eventf(pod, corev1.EventTypeWarning, why.String(), "failed: %v", err)
	r.recorder.Eventf(pod, corev1.EventTypeWarning, "", "failed: %v", err)
	r.recorder.Event(pod, corev1.EventTypeNormal, "example.com", "scaled")
	r.recorder.Eventf(
		pod,
		corev1.EventTypeNormal, // the type
		"Scaled",               // the reason
		"to %v",
		args...,
	)
	r.recorder.AnnotatedEventf(pod, map[string]string{"a": "b"}, "Normal", "Scaled", "to %d", n)
	r.deeper.Event(pod, "Normal", "Created", "through an embedded field")
	r.deeper.AnnotatedEventf(pod, nil, "Normal", "Created", "through an embedded field")
	defer r.recorder.Event(pod, "Normal", "Done", "done")
	go r.recorder.Eventf(pod, "Normal", "Done", "done %d", n)
	func() { r.recorder.Event(pod, "Normal", "Inner", "in a closure") }()
	(r.recorder).Event(pod, "Normal", "Paren", "in parentheses")
	if errors.Is(err, nil) {
		r.recorder.Event(arguments())
	}
	f := r.recorder.Eventf
	f(pod, "Normal", "Value", "a method value")
	each(r.recorder.Event)
}

func (r reason) String() string { return string(r) }

func arguments() (*corev1.Pod, string, string, string) { return nil, "", "", "" }

func each[F any](f F) {}

func generic[R record.EventRecorder](r R, pod *corev1.Pod) {
	r.Event(pod, "Normal", "Generic", "generic")
}

func warn(r record.EventRecorder, pod *corev1.Pod, reason, format string, args ...any) {
	r.Eventf(pod, corev1.EventTypeWarning, reason, format, args...)
	r.Eventf(pod, corev1.EventTypeWarning, reason, format)
}

func wrapped(r record.EventRecorder, pod *corev1.Pod, err error) {
	r.Eventf(
		pod, // of the node
		corev1.EventTypeWarning,
		"Wrapped",
		"an argument a line: %v",
		err,
	)
	r.Event(pod, corev1.EventTypeWarning,
		"Halved", "two lines")
	r.Eventf(pod, corev1.EventTypeWarning, "FailedToReconcileEverything", "the line gets longer than 120 columns: %v", err)
	r.AnnotatedEventf(
		pod,
		nil,
		corev1.EventTypeWarning,
		"Wrapped",
		err.Error(),
	)
	r.Event(
		pod,
		corev1.EventTypeWarning,
		"Wrapped",
		fmt.Sprintf("an argument a line: %v, %s", err, pod.Name),
	)
	r.Event(pod, corev1.EventTypeWarning, "FailedToReconcileEverythingInThisNamespace", fmt.Sprintf("the call has two lines: %v",
		err))
	r.Event(pod, corev1.EventTypeWarning, "FailedToReconcileEverythingInThisNamespaceOrElsewhere",
		"the note has its own line")
	r.Event(pod, corev1.EventTypeWarning, "FailedToReconcileEverythingInThisNamespaceOrElsewhere",
		err.Error())
	if err != nil {
		r.Eventf(pod, corev1.EventTypeWarning, "FailedToReconcileEverythingInThisNamespaceOrElsewhere", "long from the start: %v", err)
	}
}
