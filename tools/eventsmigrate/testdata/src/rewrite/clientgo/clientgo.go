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

type controller struct{ recorder record.EventRecorderLogger }

func (c *controller) sync(pod *corev1.Pod) {
	c.recorder.Event(pod, "Normal", "Done", "done")
}

func newFake() *controller { return &controller{recorder: record.NewFakeRecorder(3)} }

func read(fake *record.FakeRecorder) string {
	fake.Event(&corev1.Pod{}, "Normal", "Created", "made")
	return <-fake.Events
}

type holder struct {
	broadcaster record.EventBroadcaster
	recorder    record.EventRecorder
}

func (h *holder) run(ctx context.Context, sink record.EventSink) {
	h.broadcaster = record.NewBroadcaster(record.WithContext(ctx), record.WithSleepDuration(1))
	defer h.broadcaster.Shutdown()
	h.broadcaster.StartRecordingToSink(sink)
	h.recorder = h.broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "holder"})
	thirdparty.Broadcast(record.NewBroadcaster())
}
