// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

// Sixty different notes of one reason all arrive, and the rest stays series.
func TestNotesForOneReason(t *testing.T) {
	env := harness.New(t, shared)
	a := adapter.New(t.Context(), env.Admin,
		events.WithNotesFor("GPUFailed", events.NotesDistinct(60)))
	if err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	pod := &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: env.Namespace, Name: "gpus", UID: "of-gpus"}
	recorder := a.NewRecorder("example.com/gpus")
	for gpu := range 60 {
		recorder.Eventf(pod, nil, corev1.EventTypeWarning, "GPUFailed", "Checking", "XID 79 on GPU %d", gpu)
		recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Checked", "Checking", "GPU %d was checked", gpu)
	}
	if err := a.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	stored := notes(env)
	for gpu := range 60 {
		if n := stored[fmt.Sprintf("XID 79 on GPU %d", gpu)]; n != 1 {
			t.Errorf("the failure of GPU %d is counted %d times", gpu, n)
		}
	}
	if n := stored["GPU 0 was checked"]; n != 60 || len(stored) != 61 {
		t.Errorf("%d notes, the checks are counted %d times, want 61 and 60", len(stored), n)
	}
}
