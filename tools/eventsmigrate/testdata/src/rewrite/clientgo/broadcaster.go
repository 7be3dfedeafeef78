// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo

import (
	"context"
	"thirdparty"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
)

type holder struct {
	broadcaster record.EventBroadcaster // want "record\\.EventBroadcaster stays with the old API: write events\\.EventBroadcaster here once what makes it is migrated"
	recorder    record.EventRecorder    // want "record\\.EventRecorder becomes events\\.EventRecorder"
}

func (h *holder) run(ctx context.Context, sink record.EventSink) { // want "record\\.EventSink stays with the old API: implement Create, Update and Patch of events\\.k8s\\.io/v1 \\(client-go's events\\.EventSink\\)"
	h.broadcaster = record.NewBroadcaster(record.WithContext(ctx), record.WithSleepDuration(1)) // want "record\\.NewBroadcaster stays with the old API: it becomes events\\.NewBroadcaster\\(&events\\.EventSinkImpl\\{Interface: client\\.EventsV1\\(\\)\\}\\) with StartRecordingToSinkWithContext\\(ctx\\), NewRecorder\\(scheme, name\\) and Shutdown\\(\\)"
	defer h.broadcaster.Shutdown()
	h.broadcaster.StartRecordingToSink(sink)
	h.recorder = h.broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "holder"}) // want "this recorder comes from the old API and gets legacy\\.FromLegacy"
	thirdparty.Broadcast(record.NewBroadcaster())                                                  // want "record\\.NewBroadcaster stays with the old API: it becomes events\\.NewBroadcaster\\(&events\\.EventSinkImpl\\{Interface: client\\.EventsV1\\(\\)\\}\\) with StartRecordingToSinkWithContext\\(ctx\\), NewRecorder\\(scheme, name\\) and Shutdown\\(\\)"
}
