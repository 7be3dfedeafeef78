// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package broadcaster

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
)

// As in tests of cloud-provider: what logs and writes is stopped.
func stopped(client kubernetes.Interface) {
	b := record.NewBroadcaster()                                                                                             // want "the broadcaster becomes an adapter, which writes events\\.k8s\\.io/v1 series"
	w := b.StartLogging(klog.Infof)                                                                                          // want "StartLogging takes no printf function in the events API: klog at level 0"
	defer w.Stop()                                                                                                           // want "a log is stopped by a function"
	sink := b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})                        // want "the broadcaster starts; no context or stop channel is in scope"
	b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: component}).Event(&corev1.Pod{}, "Normal", "Stopped", "soon") // want "NewRecorder takes the component's name" "Event becomes Eventf with action \"Stopped\""
	sink.Stop()                                                                                                              // want "Shutdown writes what is pending and stops the sink"
}

func deferred(client kubernetes.Interface) {
	b := record.NewBroadcaster()                                                                                             // want "the broadcaster becomes an adapter, which writes events\\.k8s\\.io/v1 series"
	defer b.StartStructuredLogging(2).Stop()                                                                                 // want "a log is stopped by a function"
	defer b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")}).Stop()                   // want "the broadcaster starts; no context or stop channel is in scope; at the end it writes what is pending"
	b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: component}).Event(&corev1.Pod{}, "Normal", "Stopped", "soon") // want "NewRecorder takes the component's name" "Event becomes Eventf with action \"Stopped\""
}
