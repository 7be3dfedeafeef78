// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package calls

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
)

var global record.EventRecorder // want "record\\.EventRecorder becomes events\\.EventRecorder"

// The wrappers here have the names of the recorder's methods, and no action.
func Event(object runtime.Object, reason, message string) { // want "Event has a reason from elsewhere and no action, so its Events repeat the reason as their action: hand in an action too, or choose one here"
	global.Event(object, corev1.EventTypeNormal, strings.Title(reason), message) // want "Event becomes Eventf with action eventReason"
}

func Warnf(object runtime.Object, reason, format string, args ...any) { // want "Warnf has a reason from elsewhere and no action, so its Events repeat the reason as their action: hand in an action too, or choose one here"
	global.Eventf(object, corev1.EventTypeWarning, strings.Title(reason), format, args...) // want "Eventf becomes Eventf with action eventReason"
}

func Reconcile(object runtime.Object, code func() string, deleted bool) { // want "Reconcile has a reason from elsewhere and no action, so its Events repeat the reason as their action: hand in an action too, or choose one here"
	global.Event(object, corev1.EventTypeNormal, code(), "evaluated once")    // want "Event becomes Eventf with action reason"
	global.Event(object, corev1.EventTypeNormal, code(), "in the same block") // want "Event becomes Eventf with action reason"
	switch {
	case deleted:
		defer global.AnnotatedEventf(object, nil, corev1.EventTypeNormal, code(), "in a block of its own") // want "AnnotatedEventf becomes Eventf with action reason"
	}
	if each(func(any) {}); deleted {
		each(func() { global.Event(object, corev1.EventTypeNormal, code(), "in a literal") }) // want "Event becomes Eventf with action reason"
	}
	global.Event(object, corev1.EventTypeNormal, "Reconciled", "a constant")            // want "Event becomes Eventf with action \"Reconciled\""
	global.Event(object, corev1.EventTypeNormal, "Scheduled", "a reason that is known") // want "Event becomes Eventf with action \"Scheduled\""
}

type suffixed struct{ inner record.EventRecorder } // want "record\\.EventRecorder becomes events\\.EventRecorder"

func (s suffixed) Eventf(object runtime.Object, eventtype, reason, format string, args ...any) { // want "method Eventf gets the shape of the events API"
	s.inner.Eventf(object, eventtype, reason+"Again", format, args...) // want "Eventf becomes Eventf with action action"
}
