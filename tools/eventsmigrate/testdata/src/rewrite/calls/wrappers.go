// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package calls

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
)

var global record.EventRecorder

// The wrappers here have the names of the recorder's methods, and no action.
func Event(object runtime.Object, reason, message string) {
	global.Event(object, corev1.EventTypeNormal, strings.Title(reason), message)
}

func Warnf(object runtime.Object, reason, format string, args ...any) {
	global.Eventf(object, corev1.EventTypeWarning, strings.Title(reason), format, args...)
}

func Reconcile(object runtime.Object, code func() string, deleted bool) {
	global.Event(object, corev1.EventTypeNormal, code(), "evaluated once")
	global.Event(object, corev1.EventTypeNormal, code(), "in the same block")
	switch {
	case deleted:
		defer global.AnnotatedEventf(object, nil, corev1.EventTypeNormal, code(), "in a block of its own")
	}
	if each(func(any) {}); deleted {
		each(func() { global.Event(object, corev1.EventTypeNormal, code(), "in a literal") })
	}
	global.Event(object, corev1.EventTypeNormal, "Reconciled", "a constant")
	global.Event(object, corev1.EventTypeNormal, "Scheduled", "a reason that is known")
}

type suffixed struct{ inner record.EventRecorder }

func (s suffixed) Eventf(object runtime.Object, eventtype, reason, format string, args ...any) {
	s.inner.Eventf(object, eventtype, reason+"Again", format, args...)
}
