// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package production has fakes that no test uses alone.
package production

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

type reconciler struct{ recorder record.EventRecorder } // want "record\\.EventRecorder becomes events\\.EventRecorder"

var fallback = newReconciler(new(record.FakeRecorder)) // want "this recorder comes from the old API and gets legacy\\.FromLegacy" "production code keeps client-go's FakeRecorder, since package eventstest imports testing"

func newReconciler(recorder record.EventRecorder) *reconciler { // want "record\\.EventRecorder becomes events\\.EventRecorder"
	if recorder == nil {
		recorder = record.NewFakeRecorder(1) // want "this recorder comes from the old API and gets legacy\\.FromLegacy" "production code keeps client-go's NewFakeRecorder, since package eventstest imports testing"
	}
	return &reconciler{recorder: recorder}
}

func dry() *record.FakeRecorder { return &record.FakeRecorder{} } // want "production code keeps client-go's FakeRecorder, since package eventstest imports testing" "production code keeps client-go's FakeRecorder, since package eventstest imports testing"

func (r *reconciler) reconcile(pod *corev1.Pod) {
	fake := record.NewFakeRecorder(10) // want "production code keeps client-go's NewFakeRecorder, since package eventstest imports testing"
	fake.Event(pod, "Normal", "Dry", "through the fake, which is old")
	newReconciler(fake).recorder.Event(pod, "Normal", "Created", "made") // want "Event becomes Eventf with action \"Created\"" "this recorder comes from the old API and gets legacy\\.FromLegacy" "reason \"Created\" becomes the action, too: say here what was done, such as \"Create\""
	newReconciler(dry())                                                 // want "this recorder comes from the old API and gets legacy\\.FromLegacy"
}
