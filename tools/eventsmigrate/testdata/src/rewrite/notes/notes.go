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

type controller struct{ recorder, other record.EventRecorder } // want "record\\.EventRecorder becomes events\\.EventRecorder"

func (c *controller) sync(pod *corev1.Pod, err error) {
	c.recorder.Eventf(pod, "Warning", "Failed", "no image: %v", err)               // want "Eventf becomes Eventf with action \"Failed\"" "reason \"Failed\" becomes the action, too: say here what was done, such as \"Create\" or \"Start\" or \"Pull\" or \"CreateDirectories\""
	c.recorder.Event(pod, "Warning", reason, "no volume")                          // want "Event becomes Eventf with action reason" "under reason Failed, \"no volume\" and \"no image: %v\" \\(notes\\.go:19\\) become one Event with the note that came first: another action, or WithNotes\\(events\\.NotesDistinct\\(n\\)\\) on the recorder, keeps them apart"
	c.recorder.Event(pod, "Warning", "Failed", fmt.Sprintf("no network: %v", err)) // want "Event becomes Eventf with action \"Failed\"" "under reason Failed, \"no network: %v\" and \"no image: %v\" \\(notes\\.go:19\\) become one Event with the note that came first: another action, or WithNotes\\(events\\.NotesDistinct\\(n\\)\\) on the recorder, keeps them apart"
	c.recorder.Event(pod, "Warning", reason, "no volume")                          // want "Event becomes Eventf with action reason"
	c.recorder.Event(pod, "Warning", "Other", "no image")                          // want "Event becomes Eventf with action \"Other\""
	c.recorder.Event(pod, "Warning", "Failed", err.Error())                        // want "Event becomes Eventf with action \"Failed\""
	c.other.Event(pod, "Warning", "Failed", "the other recorder")                  // want "Event becomes Eventf with action \"Failed\""
}
