// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package notes has notes that differ under one reason.
package notes

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

const reason = "Failed"

type controller struct{ recorder, other record.EventRecorder }

func (c *controller) sync(pod *corev1.Pod, err error) {
	c.recorder.Eventf(pod, "Warning", "Failed", "no image: %v", err)
	c.recorder.Event(pod, "Warning", reason, "no volume")
	c.recorder.Event(pod, "Warning", "Failed", fmt.Sprintf("no network: %v", err))
	c.recorder.Event(pod, "Warning", reason, "no volume")
	c.recorder.Event(pod, "Warning", "Other", "no image")
	c.recorder.Event(pod, "Warning", "Failed", err.Error())
	c.other.Event(pod, "Warning", "Failed", "the other recorder")
}
