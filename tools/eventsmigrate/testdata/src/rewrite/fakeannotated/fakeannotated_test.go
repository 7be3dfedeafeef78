// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package fakeannotated has texts with annotations, which a Recorder has apart.
package fakeannotated

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

func TestAnnotated(t *testing.T) {
	recorder := record.NewFakeRecorder(1)                                                             // want "the FakeRecorder of the events API" "fakeannotated_test\\.go:17 reads a text that may end with annotations: it stays a FakeRecorder, which blocks its caller when its channel is full"
	recorder.AnnotatedEventf(&corev1.Pod{}, map[string]string{"a": "b"}, "Normal", "Created", "made") // want "AnnotatedEventf becomes Eventf with action \"Created\""
	if <-recorder.Events != "Normal Created made map[a:b]" {
		t.Error("something else")
	}
	counted := record.NewFakeRecorder(1) // want "a Recorder of the SDK's test kit"
	if len(counted.Events) != 0 {        // want "what the channel had is in the Recorder's Occurrences"
		t.Error("an event")
	}
}
