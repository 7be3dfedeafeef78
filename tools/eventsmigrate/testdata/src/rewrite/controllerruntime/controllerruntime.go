// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package controllerruntime keeps to the manager's own recorders.
package controllerruntime

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
)

type reconciler struct{ recorder record.EventRecorder }

func (r *reconciler) SetupWithManager(mgr ctrl.Manager) {
	r.recorder = mgr.GetEventRecorderFor("controller")
}

func (r *reconciler) Reconcile(pod *corev1.Pod) {
	r.recorder.Event(pod, "Normal", "Done", "done")
	r.recorder.AnnotatedEventf(pod, nil, "Normal", "Done", "done %d", 1)
}
