// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package broadcasterfields

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"
)

// A test that starts the broadcaster itself, as cloud-provider's do.
func TestNodes(t *testing.T) {
	var client kubernetes.Interface = kubernetes.NewForConfigOrDie(nil)
	broadcaster := record.NewBroadcaster()                                                              // want "the broadcaster becomes an adapter, which writes events\\.k8s\\.io/v1 series"
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")}) // want "the broadcaster starts; no context or stop channel is in scope"
	n := &Nodes{
		client:      client,
		broadcaster: broadcaster,
		recorder:    broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "nodes"}), // want "NewRecorder takes the component's name"
	}
	if err := n.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
}
