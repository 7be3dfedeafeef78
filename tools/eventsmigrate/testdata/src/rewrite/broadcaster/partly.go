// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package broadcaster

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
)

// The old package stays imported, and the last import goes.
func partly(ctx context.Context, client kubernetes.Interface, sink record.EventSink) { // want "record\\.EventSink stays with the old API: implement Create and Patch of events\\.k8s\\.io/v1 \\(eventseries/events\\.Sink\\)"
	b := record.NewBroadcaster() // want "the broadcaster becomes an adapter, which writes events\\.k8s\\.io/v1 series"
	defer b.Shutdown()
	b.StartLogging(klog.Infof)                                                                                               // want "StartLogging takes no printf function in the events API: klog at level 0"
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})                                // want "the broadcaster starts, and the end of ctx ends it"
	b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: component}).Event(&corev1.Pod{}, "Normal", "Partly", "moved") // want "NewRecorder takes the component's name" "Event becomes Eventf with action \"Partly\""
}
