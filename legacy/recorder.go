// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"k8s.io/apimachinery/pkg/runtime"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/usercode"
)

// Recorder implements client-go's old recorder interface, record.EventRecorderLogger.
// [Broadcaster.Recorder] and [AsLegacy] return one. It is safe for concurrent use. No method
// blocks, starts a goroutine, or keeps its arguments.
//
// An occurrence is invalid if no reference to its object can be made, if a method of the object
// panics, if the namespace of the object is not a valid name of a namespace, or if the type of the
// Event is neither Normal nor Warning. Invalid occurrences are counted in Dropped[DropInvalid], and
// logged at most once a minute for each reason. Annotations and labels that the server would refuse
// are left out. Everything else is sent to the server unchanged.
type Recorder struct {
	target clientevents.EventRecorder
	// bridges is true if the recorder was returned by [AsLegacy]. Such a recorder also passes the
	// reason as the action, and leaves formatting to target.
	bridges bool
}

var _ record.EventRecorderLogger = (*Recorder)(nil)

// Event records one occurrence about object. message is recorded unchanged.
func (r *Recorder) Event(object runtime.Object, eventtype, reason, message string) {
	r.AnnotatedEventf(object, nil, eventtype, reason, "%s", message)
}

// Eventf is like Event, but formats the message as fmt.Sprintf does.
func (r *Recorder) Eventf(object runtime.Object, eventtype, reason, messageFmt string, args ...any) {
	r.AnnotatedEventf(object, nil, eventtype, reason, messageFmt, args...)
}

// AnnotatedEventf is like Eventf, and adds a copy of annotations to the Event when the Event is
// created. The correlator ignores the annotations of later occurrences.
func (r *Recorder) AnnotatedEventf(object runtime.Object, annotations map[string]string,
	eventtype, reason, messageFmt string, args ...any,
) {
	if r.bridges {
		events.AnnotatedEventf(r.target, object, nil, annotations, eventtype, reason, reason, messageFmt, args...)
		return
	}
	message := usercode.Sprintf(messageFmt, args...)
	if own, ok := r.target.(*events.Recorder); ok && len(annotations) == 0 {
		own.Event(object, nil, eventtype, reason, "", message)
		return
	}
	events.AnnotatedEventf(r.target, object, nil, annotations, eventtype, reason, "", "%s", message)
}

// WithLabels returns a copy of r that adds labels to its Events, under the rules of
// [events.Recorder.WithLabels]. If [AsLegacy] returned r for a recorder that does not belong to
// this SDK, WithLabels returns r itself.
func (r *Recorder) WithLabels(labels map[string]string) *Recorder {
	if target, ok := r.target.(*events.Recorder); ok {
		return &Recorder{target.WithLabels(labels), r.bridges}
	}
	return r
}

// WithLogger returns a copy of r that logs the repairs and drops of its own calls to logger. If
// [AsLegacy] returned r for a recorder that has no method WithLogger, the result is r itself.
func (r *Recorder) WithLogger(logger klog.Logger) record.EventRecorderLogger {
	if target, ok := r.target.(clientevents.EventRecorderLogger); ok {
		return &Recorder{target.WithLogger(logger), r.bridges}
	}
	return r
}
