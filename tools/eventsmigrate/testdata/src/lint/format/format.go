// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.24

package format

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
)

type own interface {
	Eventf(object *corev1.Pod, note string, args ...any)
}

func arguments(r events.EventRecorder, old record.EventRecorder, pod *corev1.Pod, o own, args []any) {
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "to %d of %q", 3, "web")
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "to %d", "three")
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "to %d", pod.Name)
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "to %d")
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "done", 3)
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "to %d", 3, 4)
	old.Eventf(pod, "Normal", "Scaled", "failed: %w", fmt.Errorf("no"))
	old.AnnotatedEventf(pod, nil, "Normal", "Scaled", "%s failed", fmt.Errorf("no"), 1)
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "to %d", args...)
	fmt.Printf("%d", "none of our business")
	o.Eventf(pod, "%d", "nor is this")
}

func texts(r events.EventRecorder, old record.EventRecorder, pod *corev1.Pod, err error, up bool) {
	r.Eventf(pod, nil, "Warning", "Failed", "Scale", err.Error())
	r.Eventf(pod, nil, "Warning", "Failed", "Scale", "failed: "+err.Error())
	old.Eventf(pod, "Warning", "Failed", fmt.Sprintf("failed: %v", err))
	old.AnnotatedEventf(pod, nil, "Warning", "Failed", pod.Name)
	old.Event(pod, "Warning", "Failed", err.Error())
	old.Eventf(pod, "Warning", "Failed", "%s", err.Error())
	old.Eventf(pod, "Warning", "Failed", "100%% sure")
	old.Event(pod, "Warning", "Failed", "cannot reach %s")
	old.Event(pod, "Warning", "Failed", "100% sure, 50%done")

	message := "scaled up"
	if !up {
		message = "scaled down"
	}
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", message) // one of two constants, both good formats
}

// What is cut or handed through is still no format.
func cut(text string) string {
	if len(text) > 1024 {
		return text[:1020] + " ..."
	}
	return text
}

const preempted = "preempted for a critical pod"

func handedOn(get func() events.EventRecorderLogger, old record.EventRecorderLogger, logger klog.Logger, pod *corev1.Pod, text string) {
	message := cut(text)
	get().WithLogger(logger).Eventf(pod, nil, "Warning", "Failed", "Schedule", message)
	old.WithLogger(logger).Eventf(pod, "Warning", "Failed", message)
	old.Eventf(pod, "Warning", "Preempted", preempted)
	get().Eventf(pod, nil, "Warning", "Denied", "Deny", "denied: "+text, "handed") // the callers' format
}

type controller struct{ recorder events.EventRecorder }

func (c *controller) eventf(pod *corev1.Pod, note string, args ...any) {
	c.recorder.Eventf(pod, nil, "Normal", "Scaled", "Scale", note, args...)
}

func (c *controller) event(pod *corev1.Pod, note string) {
	c.recorder.Eventf(pod, nil, "Normal", "Scaled", "Scale", note)
}

func (c *controller) callers(pod *corev1.Pod, err error) {
	c.eventf(pod, "to %d", "three")
	c.eventf(pod, err.Error())
	c.event(pod, "cannot reach %v")
}
