// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package fakeclientgo has FakeRecorders that become client-go's other ones.
package fakeclientgo

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

func read(recorder *record.FakeRecorder) string { return <-recorder.Events } // want "record\\.FakeRecorder is events\\.FakeRecorder in the events API"

func TestRead(t *testing.T) {
	recorder := record.NewFakeRecorder(1)                      // want "the FakeRecorder of the events API"
	recorder.Event(&corev1.Pod{}, "Normal", "Created", "made") // want "Event becomes Eventf with action \"Created\""
	read(recorder)
}
