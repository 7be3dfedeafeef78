// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package distinctoff

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
)

// Under NotesFirst, the default, the note is no part of what makes a series.
func notes(r events.EventRecorder, pod *corev1.Pod) {
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "at %v", time.Now())
}
