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
	r.Eventf(pod, nil, "Normal", "scaled", "Scale", "done")    // want `the reason "scaled" is not UpperCamelCase`
	r.Eventf(pod, nil, "Normal", "Not_Ready", "Scale", "done") // want `the reason "Not_Ready" is not UpperCamelCase`
	r.Eventf(pod, nil, "Normal", sentence, "Mount", "done")    // want `the reason "Failed to mount" is not UpperCamelCase`
	r.Event(pod, nil, "Normal", names.Failed, "Mount", "done") // want `the reason "failed to scale" is not UpperCamelCase`
	r.Eventf(pod, nil, "Normal", "", "Scale", "done")          // want `the reason is empty`
	// 129 and 128 bytes.
	r.Eventf(pod, nil, "Normal", "A0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "Scale", "done") // want `the reason has 129 bytes, and the API server refuses more than 128`
	r.Eventf(pod, nil, "Normal", "A123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "Scale", "done")
	events.AnnotatedEventf(r, pod, nil, nil, "Normal", "scaled", "Scale", "done") // want `the reason "scaled" is not UpperCamelCase`
}

func oldShape(r record.EventRecorder, pod *corev1.Pod) {
	r.Event(pod, "Normal", "scaled", "done")                // want `the reason "scaled" is not UpperCamelCase`
	r.Eventf(pod, "Normal", "scaled", "done")               // want `the reason "scaled" is not UpperCamelCase`
	r.AnnotatedEventf(pod, nil, "Normal", "scaled", "done") // want `the reason "scaled" is not UpperCamelCase`
	r.AnnotatedEventf(pod, nil, "Normal", "Scaled", "scaled")
}

// What is not known is not judged, but each value that is.
func chosen(r record.EventRecorder, pod *corev1.Pod, reason string, failed bool) {
	r.Event(pod, "Normal", names.Chosen, "done")
	if failed {
		reason = "failed"
	}
	r.Event(pod, "Normal", reason, "done") // want `the reason "failed" is not UpperCamelCase`
}

// Two constants that are put together are constants.
func combined(r record.EventRecorder, pod *corev1.Pod, failed bool) {
	prefix := "Successful"
	if failed {
		prefix = "failed"
	}
	r.Event(pod, "Normal", prefix+"Create", "done") // want `the reason "failedCreate" is not UpperCamelCase`
}
