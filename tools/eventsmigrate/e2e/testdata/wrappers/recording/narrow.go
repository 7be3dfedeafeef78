// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recording

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Eventer is all that most steps need.
type Eventer interface {
	Event(object runtime.Object, eventtype, reason, message string)
}

// Formatter is what the others need.
type Formatter interface {
	Eventer
	Eventf(object runtime.Object, eventtype, reason, messageFmt string, args ...interface{})
}

// Problem records a Warning with the text of err.
func Problem(e Eventer, object runtime.Object, reason string, err error) {
	if e == nil || err == nil {
		return
	}
	e.Event(object, corev1.EventTypeWarning, reason, err.Error())
}

// Progress records how far object is.
func Progress(f Formatter, object runtime.Object, percent int) {
	switch {
	case percent >= 100:
		f.Event(object, corev1.EventTypeNormal, "Finished", "100% done")
	default:
		f.Eventf(object, corev1.EventTypeNormal, "Progress", "%d%% done", percent)
	}
}

// Func is a function as an Eventer.
type Func func(object runtime.Object, eventtype, reason, message string)

// Event calls f.
func (f Func) Event(object runtime.Object, eventtype, reason, message string) {
	f(object, eventtype, reason, message)
}
