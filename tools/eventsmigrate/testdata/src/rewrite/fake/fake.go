// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package fake has fakes in production code.
package fake

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

type reconciler struct{ recorder record.EventRecorder } // want "record\\.EventRecorder becomes events\\.EventRecorder"

// Driver is what other packages test with.
type Driver struct{ Fake *record.FakeRecorder } // want "fake\\.Driver is exported and changes its type: users in other modules change with it" "record\\.FakeRecorder becomes eventstest\\.FakeRecorder"

func newReconciler() *reconciler { return &reconciler{recorder: record.NewFakeRecorder(1)} } // want "record\\.NewFakeRecorder becomes eventstest\\.NewFakeRecorder"

// NewFake is what other packages make fakes with.
var NewFake = record.NewFakeRecorder // want "fake\\.NewFake is exported and changes its type: users in other modules change with it" "record\\.NewFakeRecorder becomes eventstest\\.NewFakeRecorder"

func (r *reconciler) reconcile(pod *corev1.Pod) {
	r.recorder.Event(pod, "Normal", "Created", "made")     // want "Event becomes Eventf with action \"Created\"" "reason \"Created\" becomes the action, too: say here what was done, such as \"Create\""
	if fake, ok := r.recorder.(*record.FakeRecorder); ok { // want "record\\.FakeRecorder becomes eventstest\\.FakeRecorder"
		fake.IncludeObject = true
	}
}
