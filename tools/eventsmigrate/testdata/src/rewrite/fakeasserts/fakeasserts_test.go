// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package fakeasserts finds its fake behind a recorder's interface.
package fakeasserts

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

type reconciler struct{ recorder record.EventRecorder } // want "record\\.EventRecorder is events\\.EventRecorder in the events API"

func TestAsserts(t *testing.T) {
	r := &reconciler{recorder: record.NewFakeRecorder(1)}  // want "the FakeRecorder of the events API" "fakeasserts_test\\.go:18 asserts that a recorder is a FakeRecorder: it stays a FakeRecorder, which blocks its caller when its channel is full"
	if fake, ok := r.recorder.(*record.FakeRecorder); ok { // want "record\\.FakeRecorder is events\\.FakeRecorder in the events API"
		_ = len(fake.Events)
	}
}

func made(recorder *record.FakeRecorder) string { // want "record\\.FakeRecorder is events\\.FakeRecorder in the events API"
	recorder.Event(&corev1.Pod{}, "Normal", "Created", "made") // want "Event becomes Eventf with action \"Created\""
	return "Normal Created made"
}

func TestOrder(t *testing.T) {
	recorder := record.NewFakeRecorder(1) // want "the FakeRecorder of the events API" "fakeasserts_test\\.go:30 reads the channel in a way that has no clear counterpart: it stays a FakeRecorder, which blocks its caller when its channel is full"
	if made(recorder) != <-recorder.Events {
		t.Error("something else")
	}
}
