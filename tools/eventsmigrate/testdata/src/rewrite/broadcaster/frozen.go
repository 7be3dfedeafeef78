// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package broadcaster

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
)

var cold = record.NewBroadcaster()

func chill(b record.EventBroadcaster) {
	recorder := b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "frozen"})
	recorder.Event(&corev1.Pod{}, "Normal", "Frozen", "stays")
	_ = Dependencies{Recorder: recorder}
}
