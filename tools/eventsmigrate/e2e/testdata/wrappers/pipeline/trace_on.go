//go:build trace

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package pipeline

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

// trace records that tracing is on.
func trace(recorder record.EventRecorder, pipeline *corev1.ConfigMap) {
	recorder.Event(pipeline, corev1.EventTypeNormal, "Traced", "tracing is on")
}
