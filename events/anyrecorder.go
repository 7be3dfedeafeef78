// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
)

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

// RecorderWithContext returns what recorder's method WithContext returns for ctx, or
// recorder itself if it has none, as client-go's. It is for code that holds an
// [EventRecorder]; see [Recorder.WithContext].
func RecorderWithContext(ctx context.Context, recorder EventRecorder) EventRecorder {
	type contextual interface {
		WithContext(context.Context) EventRecorderLogger
	}
	if r, ok := recorder.(contextual); ok {
		return r.WithContext(ctx)
	}
	return recorder
}

// RecorderWithLabels returns what recorder's method WithLabels returns for labels, or
// recorder itself if it has none, as client-go's. It is for code that holds an
// [EventRecorder]; see [Recorder.WithLabels].
func RecorderWithLabels(recorder EventRecorder, labels map[string]string) EventRecorder {
	type labelled interface {
		WithLabels(labels map[string]string) EventRecorderLogger
	}
	if r, ok := recorder.(labelled); ok {
		return r.WithLabels(labels)
	}
	return recorder
}
