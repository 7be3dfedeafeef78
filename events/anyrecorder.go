// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import "k8s.io/apimachinery/pkg/runtime"

// AnnotatedEventf records through recorder, with annotations if it takes them:
// those of this SDK do, those of client-go and its FakeRecorder from v0.37 on.
// Any other records the same without them. It lets code that holds an
// [EventRecorder], which has no such method, keep the annotated calls of the old
// API.
func AnnotatedEventf(
	recorder EventRecorder, regarding, related runtime.Object, annotations map[string]string,
	eventtype, reason, action, note string, args ...any,
) {
	if r, ok := recorder.(AnnotatedEventRecorder); ok {
		r.AnnotatedEventf(regarding, related, annotations, eventtype, reason, action, note, args...)
		return
	}
	recorder.Eventf(regarding, related, eventtype, reason, action, note, args...)
}
