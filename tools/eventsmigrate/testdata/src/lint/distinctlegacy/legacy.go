// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package distinctlegacy

import (
	"time"

	"github.com/eventseries/eventseries/legacy"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
)

func bridge(r events.EventRecorder) record.EventRecorder { return legacy.AsLegacy(r) }

func notes(r events.EventRecorder, old record.EventRecorder, pod *corev1.Pod) {
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "at %v", time.Now()) // NotesFirst, the default
	old.Eventf(pod, "Normal", "Scaled", "at %v", time.Now())
}

type controller struct {
	recorder events.EventRecorder
	old      record.EventRecorder
}

func (c *controller) newf(pod *corev1.Pod, note string, args ...any) {
	c.recorder.Eventf(pod, nil, "Normal", "Scaled", "Scale", note, args...)
}

func (c *controller) oldf(pod *corev1.Pod, note string, args ...any) {
	c.old.Eventf(pod, "Normal", "Scaled", note, args...)
}

func (c *controller) callers(pod *corev1.Pod) {
	c.newf(pod, "at %v", time.Now())
	c.oldf(pod, "at %v", time.Now())
}
