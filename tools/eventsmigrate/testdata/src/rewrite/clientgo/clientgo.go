// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package clientgo uses client-go's events package.
package clientgo

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

type controller struct{ recorder record.EventRecorderLogger } // want "record\\.EventRecorderLogger is events\\.EventRecorderLogger in the events API"

func (c *controller) sync(pod *corev1.Pod) {
	c.recorder.Event(pod, "Normal", "Done", "done") // want "Event becomes Eventf with action \"Done\""
}

func newFake() *controller { return &controller{recorder: record.NewFakeRecorder(3)} } // want "the FakeRecorder of the events API"
