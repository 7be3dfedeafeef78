// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package broadcasterleft

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"
)

type frozen struct {
	client      kubernetes.Interface
	broadcaster record.EventBroadcaster
}

func chill(client kubernetes.Interface) {
	cold.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	b := record.NewBroadcaster()
	b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "frozen"}).Event(&corev1.Pod{}, "Normal", "Frozen", "stays")
}
