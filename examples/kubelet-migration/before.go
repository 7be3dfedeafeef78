// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/kubelet"
)

// makeEventRecorderBefore sets up the recorder of a kubelet unless it has one.
func makeEventRecorderBefore(ctx context.Context, deps *kubelet.Dependencies, nodeName types.NodeName) {
	if deps.Recorder != nil {
		return
	}
	broadcaster := record.NewBroadcaster(record.WithContext(ctx))
	broadcaster.StartStructuredLogging(3)
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: deps.EventClient.CoreV1().Events("")})

	source := corev1.EventSource{Component: component, Host: string(nodeName)}
	deps.Recorder = record.NewEventRecorderAdapter(broadcaster.NewRecorder(scheme.Scheme, source))
	deps.StopEvents = func(context.Context) error { broadcaster.Shutdown(); return nil }
}
