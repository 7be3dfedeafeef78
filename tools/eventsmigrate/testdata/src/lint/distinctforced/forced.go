// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package distinctforced

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
)

// The flag says that NotesDistinct is on, though not where.
func notes(r events.EventRecorder, pod *corev1.Pod) {
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "at %v", time.Now())
}
