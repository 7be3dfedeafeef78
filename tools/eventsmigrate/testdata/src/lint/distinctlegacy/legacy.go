// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package distinctlegacy

import (
	"time"

	"github.com/eventseries/eventseries/legacy"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
)

func bridge(r events.EventRecorder) record.EventRecorder { return legacy.AsLegacy(r) }

func notes(r events.EventRecorder, old record.EventRecorder, pod *corev1.Pod) {
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "at %v", time.Now())
	old.Eventf(pod, "Normal", "Scaled", "at %v", time.Now()) // want `the note has a timestamp in it`
}
