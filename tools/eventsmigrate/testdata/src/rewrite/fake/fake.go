// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package fake has tests whose FakeRecorder becomes a Recorder of the test kit.
package fake

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

const reasonScaled = "Scaled"

type reconciler struct{ recorder record.EventRecorder } // want "record\\.EventRecorder is events\\.EventRecorder in the events API"

func (r *reconciler) reconcile(pod *corev1.Pod, err error) {
	r.recorder.Eventf(pod, corev1.EventTypeNormal, reasonScaled, "to %d replicas", 3) // want "Eventf becomes Eventf with action reasonScaled"
	r.recorder.Event(pod, corev1.EventTypeNormal, "Created", "made all of it")        // want "Event becomes Eventf with action \"Created\""
	r.recorder.Event(pod, corev1.EventTypeWarning, "CreateFailed", err.Error())       // want "Event becomes Eventf with action \"CreateFailed\""
}
