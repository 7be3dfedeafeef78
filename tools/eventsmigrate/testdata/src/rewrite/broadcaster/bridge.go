// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package broadcaster

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"thirdparty"
)

// As in libraries of the new shape that got an old recorder until now.
func bridged(ctx context.Context, client kubernetes.Interface) {
	broadcaster := record.NewBroadcaster() // want "the broadcaster becomes an adapter, which writes events\\.k8s\\.io/v1 series"
	defer broadcaster.Shutdown()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")}) // want "the broadcaster starts, and the end of ctx ends it"
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "bridge"})         // want "NewRecorder takes the component's name"
	bridge := record.NewEventRecorderAdapter(recorder)                                                  // want "this recorder has the new shape, and needs no NewEventRecorderAdapter"
	bridge.Eventf(&corev1.Pod{}, nil, "Normal", "Bridged", "Bridge", "by client-go")
}

func bridge(recorder record.EventRecorderLogger) events.EventRecorder { // want "record\\.EventRecorderLogger is events\\.EventRecorderLogger in the events API"
	return record.NewEventRecorderAdapter(recorder) // want "this recorder has the new shape, and needs no NewEventRecorderAdapter"
}

func stays() events.EventRecorder {
	return record.NewEventRecorderAdapter(thirdparty.NewLogger()) // want "record\\.NewEventRecorderAdapter stays with the old API: hand in a recorder of the events API and drop this bridge"
}
