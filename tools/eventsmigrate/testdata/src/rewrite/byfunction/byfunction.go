// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package byfunction takes the action from the function, or from a map.
package byfunction

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

type reconciler struct{ recorder record.EventRecorder } // want "record\\.EventRecorder becomes events\\.EventRecorder"

func (r *reconciler) createService(pod *corev1.Pod) {
	r.recorder.Event(pod, "Normal", "ServiceMade", "made")            // want "Event becomes Eventf with action \"Create\""
	r.recorder.Event(pod, "Normal", "Scaled", "the map has this one") // want "Event becomes Eventf with action \"Scale\""
}

func (r *reconciler) Reconcile(pod *corev1.Pod, reason string) { // want "Reconcile has a reason from elsewhere and no action, so its Events repeat the reason as their action: hand in an action too, or choose one here"
	r.recorder.Event(pod, "Normal", reason, "a reason that is handed in stays the action") // want "Event becomes Eventf with action reason"
	r.recorder.Event(pod, "Normal", "Done", "the name says nothing")                       // want "Event becomes Eventf with action \"Done\""
}

var record_ = func(r record.EventRecorder, pod *corev1.Pod) { r.Event(pod, "Normal", "Done", "no function") } // want "record\\.EventRecorder becomes events\\.EventRecorder" "Event becomes Eventf with action \"Done\""
