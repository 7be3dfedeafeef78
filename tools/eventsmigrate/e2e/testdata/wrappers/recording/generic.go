// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recording

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
)

// Record records something about any object.
func Record[T runtime.Object](r record.EventRecorder, object T, reason, format string, args ...any) {
	r.Eventf(object, corev1.EventTypeNormal, reason, format, args...)
}

// Scoped records about one object.
type Scoped[T runtime.Object] struct {
	recorder record.EventRecorder
	object   T
}

// Scope returns a Scoped.
func Scope[T runtime.Object](r record.EventRecorder, object T) Scoped[T] {
	return Scoped[T]{recorder: r, object: object}
}

// Normal records.
func (s Scoped[T]) Normal(reason, message string) {
	s.recorder.Event(s.object, corev1.EventTypeNormal, reason, message)
}

// Warningf records.
func (s Scoped[T]) Warningf(reason, format string, args ...any) {
	s.recorder.Eventf(s.object, corev1.EventTypeWarning, reason, format, args...)
}

// Each records the same about all of objects.
func Each[R record.EventRecorder, T runtime.Object](r R, objects []T, reason, message string) {
	for _, object := range objects {
		r.Event(object, corev1.EventTypeNormal, reason, message)
	}
}
