// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package production has fakes that no test uses alone.
package production

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

type reconciler struct{ recorder record.EventRecorder }

var fallback = newReconciler(new(record.FakeRecorder))

func newReconciler(recorder record.EventRecorder) *reconciler {
	if recorder == nil {
		recorder = record.NewFakeRecorder(1)
	}
	return &reconciler{recorder: recorder}
}

func dry() *record.FakeRecorder { return &record.FakeRecorder{} }

func (r *reconciler) reconcile(pod *corev1.Pod) {
	fake := record.NewFakeRecorder(10)
	fake.Event(pod, "Normal", "Dry", "through the fake, which is old")
	newReconciler(fake).recorder.Event(pod, "Normal", "Created", "made")
	newReconciler(dry())
}
