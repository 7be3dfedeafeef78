// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package byfunction takes the action from the function, or from a map.
package byfunction

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

type reconciler struct{ recorder record.EventRecorder }

func (r *reconciler) createService(pod *corev1.Pod) {
	r.recorder.Event(pod, "Normal", "ServiceMade", "made")
	r.recorder.Event(pod, "Normal", "Scaled", "the map has this one")
}

func (r *reconciler) Reconcile(pod *corev1.Pod, reason string) {
	r.recorder.Event(pod, "Normal", reason, "a reason that is handed in stays the action")
	r.recorder.Event(pod, "Normal", "Done", "the name says nothing")
}

var record_ = func(r record.EventRecorder, pod *corev1.Pod) { r.Event(pod, "Normal", "Done", "no function") }
