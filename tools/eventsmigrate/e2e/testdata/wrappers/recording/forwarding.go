// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recording

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
)

// Logged forwards everything and logs it.
type Logged struct {
	recorder record.EventRecorderLogger
	logger   klog.Logger
}

// NewLogged returns a Logged.
func NewLogged(recorder record.EventRecorderLogger, logger klog.Logger) *Logged {
	return &Logged{recorder: recorder.WithLogger(logger), logger: logger}
}

// Event forwards.
func (l *Logged) Event(object runtime.Object, eventtype, reason, message string) {
	l.logger.V(2).Info("event", "reason", reason)
	l.recorder.Event(object, eventtype, reason, message)
}

// Eventf forwards.
func (l *Logged) Eventf(object runtime.Object, eventtype, reason, messageFmt string, args ...any) {
	l.logger.V(2).Info("event", "reason", reason)
	l.recorder.Eventf(object, eventtype, reason, messageFmt, args...)
}

// AnnotatedEventf forwards.
func (l *Logged) AnnotatedEventf(
	object runtime.Object, annotations map[string]string, eventtype, reason, messageFmt string, args ...any,
) {
	l.logger.V(2).Info("event", "reason", reason)
	l.recorder.AnnotatedEventf(object, annotations, eventtype, reason, messageFmt, args...)
}

// WithLogger makes it a record.EventRecorderLogger.
func (l *Logged) WithLogger(logger klog.Logger) record.EventRecorderLogger {
	return NewLogged(l.recorder, logger)
}

// Fanout forwards to all.
type Fanout []record.EventRecorder

// Event forwards.
func (f Fanout) Event(object runtime.Object, eventtype, reason, message string) {
	for _, r := range f {
		r.Event(object, eventtype, reason, message)
	}
}

// Eventf forwards.
func (f Fanout) Eventf(object runtime.Object, eventtype, reason, messageFmt string, args ...any) {
	for _, r := range f {
		r.Eventf(object, eventtype, reason, messageFmt, args...)
	}
}

// AnnotatedEventf forwards.
func (f Fanout) AnnotatedEventf(
	object runtime.Object, annotations map[string]string, eventtype, reason, messageFmt string, args ...any,
) {
	for i := range f {
		f[i].AnnotatedEventf(object, annotations, eventtype, reason, messageFmt, args...)
	}
}
