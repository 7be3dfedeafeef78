// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package clientgo uses client-go's events package.
package clientgo

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

type controller struct{ recorder record.EventRecorderLogger } // want "record\\.EventRecorderLogger becomes events\\.EventRecorderLogger"

func (c *controller) sync(pod *corev1.Pod) {
	c.recorder.Event(pod, "Normal", "Done", "done") // want "Event becomes Eventf with action \"Done\""
}

func newFake() *controller { return &controller{recorder: record.NewFakeRecorder(3)} } // want "record\\.NewFakeRecorder becomes events\\.NewFakeRecorder"

func read(fake *record.FakeRecorder) string { // want "record\\.FakeRecorder becomes events\\.FakeRecorder"
	fake.Event(&corev1.Pod{}, "Normal", "Created", "made") // want "Event becomes Eventf with action \"Created\""
	return <-fake.Events
}
