// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package fakekept has FakeRecorders that stay one.
package fakekept

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

type reconciler struct{ recorder record.EventRecorder } // want "record\\.EventRecorder is events\\.EventRecorder in the events API"

// Driver is what other packages test with.
type Driver struct{ Fake *record.FakeRecorder } // want "record\\.FakeRecorder is events\\.FakeRecorder in the events API"

func newReconciler() *reconciler { return &reconciler{recorder: record.NewFakeRecorder(1)} } // want "the FakeRecorder of the events API" "fakekept\\.go:17 is no test: it stays a FakeRecorder, which blocks its caller when its channel is full"

func (r *reconciler) reconcile(pod *corev1.Pod) {
	go r.recorder.Event(pod, "Normal", "Created", "made") // want "Event becomes Eventf with action \"Created\""
}
