// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package controllerruntime keeps to the manager's own recorders.
package controllerruntime

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
)

type reconciler struct{ recorder record.EventRecorder } // want "record\\.EventRecorder becomes events\\.EventRecorder"

func (r *reconciler) SetupWithManager(mgr ctrl.Manager) {
	r.recorder = mgr.GetEventRecorderFor("controller") // want "GetEventRecorderFor is GetEventRecorder in the events API"
}

func (r *reconciler) Reconcile(pod *corev1.Pod) {
	r.recorder.Event(pod, "Normal", "Done", "done")                      // want "Event becomes Eventf with action \"Done\""
	r.recorder.AnnotatedEventf(pod, nil, "Normal", "Done", "done %d", 1) // want "AnnotatedEventf becomes Eventf with action \"Done\"" "annotations reach recorders that take them: client-go's and controller-runtime's do from client-go v0\\.37\\.0 on" "under reason Done, \"done %d\" and \"done\" \\(controllerruntime\\.go:20\\) become one Event with the note that came first: another action keeps them apart"
}
