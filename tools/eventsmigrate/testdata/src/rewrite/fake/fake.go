// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package fake has fakes in production code.
package fake

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

type reconciler struct{ recorder record.EventRecorder }

// Driver is what other packages test with.
type Driver struct{ Fake *record.FakeRecorder }

func newReconciler() *reconciler { return &reconciler{recorder: record.NewFakeRecorder(1)} }

// NewFake is what other packages make fakes with.
var NewFake = record.NewFakeRecorder

func (r *reconciler) reconcile(pod *corev1.Pod) {
	r.recorder.Event(pod, "Normal", "Created", "made")
	if fake, ok := r.recorder.(*record.FakeRecorder); ok {
		fake.IncludeObject = true
	}
}
