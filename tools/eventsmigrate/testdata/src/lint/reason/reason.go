// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package reason

import (
	"github.com/eventseries/eventseries/events"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	"lint/names"
)

const (
	mounted  = "FailedMount"
	sentence = "Failed to mount"
)

func newShape(r *events.Recorder, pod *corev1.Pod, status corev1.Pod) {
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "done")
	r.Eventf(pod, nil, "Normal", "ErrImageNeverPull2", "Scale", "done")
	r.Eventf(pod, nil, "Normal", mounted, "Mount", "done")
	r.Eventf(pod, nil, "Normal", "scaled", "Scale", "done")
	r.Eventf(pod, nil, "Normal", "Not_Ready", "Scale", "done")
	r.Eventf(pod, nil, "Normal", sentence, "Mount", "done")
	r.Event(pod, nil, "Normal", names.Failed, "Mount", "done")
	r.Eventf(pod, nil, "Normal", "", "Scale", "done")
	// 129 and 128 bytes.
	r.Eventf(pod, nil, "Normal", "A0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "Scale", "done")
	r.Eventf(pod, nil, "Normal", "A123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "Scale", "done")
	events.AnnotatedEventf(r, pod, nil, nil, "Normal", "scaled", "Scale", "done")
}

func oldShape(r record.EventRecorder, pod *corev1.Pod) {
	r.Event(pod, "Normal", "scaled", "done")
	r.Eventf(pod, "Normal", "scaled", "done")
	r.AnnotatedEventf(pod, nil, "Normal", "scaled", "done")
	r.AnnotatedEventf(pod, nil, "Normal", "Scaled", "scaled")
}

// What is not known is not judged, but each value that is.
func chosen(r record.EventRecorder, pod *corev1.Pod, reason string, failed bool) {
	r.Event(pod, "Normal", names.Chosen, "done")
	if failed {
		reason = "failed"
	}
	r.Event(pod, "Normal", reason, "done")
}

// Two constants that are put together are constants.
func combined(r record.EventRecorder, pod *corev1.Pod, failed bool) {
	prefix := "Successful"
	if failed {
		prefix = "failed"
	}
	r.Event(pod, "Normal", prefix+"Create", "done")
}
