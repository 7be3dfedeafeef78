// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package clientgo uses client-go's events package.
package clientgo

import (
	"context"
	"thirdparty"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
)

type controller struct{ recorder record.EventRecorderLogger } // want "record\\.EventRecorderLogger becomes events\\.EventRecorderLogger"

func (c *controller) sync(pod *corev1.Pod) {
	c.recorder.Event(pod, "Normal", "Done", "done") // want "Event becomes Eventf with action \"Done\""
}

func newFake() *controller { return &controller{recorder: record.NewFakeRecorder(3)} } // want "record\\.NewFakeRecorder becomes events\\.NewFakeRecorder"

func read(fake *record.FakeRecorder) string { // want "record\\.FakeRecorder becomes events\\.FakeRecorder"
	fake.Event(&corev1.Pod{}, "Normal", "Created", "made") // want "Event becomes Eventf with action \"Created\"" "reason \"Created\" becomes the action, too: say here what was done, such as \"Create\""
	return <-fake.Events
}

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
