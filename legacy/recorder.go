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

// Recorder records core/v1 events, like client-go's record.EventRecorderLogger.
// [Broadcaster.Recorder] and [AsLegacy] make it. It is safe for concurrent use. No method blocks,
// starts a goroutine, or keeps its arguments.
//
// An occurrence is invalid if its object cannot be referred to, if a method of the
// object panics, if its namespace cannot exist, or if its type is neither Normal nor
// Warning. It counts as Dropped[DropInvalid], and is logged once a minute for each reason.
// Annotations and labels that the server would refuse are left out. Everything else is
// sent to the server unchanged.
type Recorder struct {
	to      clientevents.EventRecorder
	bridges bool // [AsLegacy] has made it: the reason is the action, too, and to formats
}

var _ record.EventRecorderLogger = (*Recorder)(nil)

// Event records message unchanged.
func (r *Recorder) Event(object runtime.Object, eventtype, reason, message string) {
	r.AnnotatedEventf(object, nil, eventtype, reason, "%s", message)
}

// Eventf is Event with the message formatted as by fmt.Sprintf.
func (r *Recorder) Eventf(object runtime.Object, eventtype, reason, messageFmt string, args ...any) {
	r.AnnotatedEventf(object, nil, eventtype, reason, messageFmt, args...)
}

// AnnotatedEventf is Eventf with annotations for the event, which are copied.
// They are stored when the event is created. The correlator ignores the annotations
// of later occurrences.
func (r *Recorder) AnnotatedEventf(object runtime.Object, annotations map[string]string,
	eventtype, reason, messageFmt string, args ...any,
) {
	if r.bridges {
		events.AnnotatedEventf(r.to, object, nil, annotations, eventtype, reason, reason, messageFmt, args...)
		return
	}
	message := usercode.Sprintf(messageFmt, args...)
	if own, ok := r.to.(*events.Recorder); ok && len(annotations) == 0 {
		own.Event(object, nil, eventtype, reason, "", message)
		return
	}
	events.AnnotatedEventf(r.to, object, nil, annotations, eventtype, reason, "", "%s", message)
}

// WithLabels returns a recorder that adds labels to those of its Events, under the rules of
// [events.Recorder.WithLabels]. If [AsLegacy] made r of a recorder that is not of this SDK, it returns r.
func (r *Recorder) WithLabels(labels map[string]string) *Recorder {
	if to, ok := r.to.(*events.Recorder); ok {
		return &Recorder{to.WithLabels(labels), r.bridges}
	}
	return r
}

// WithLogger returns a recorder that logs what it refuses to logger, if it can log.
func (r *Recorder) WithLogger(logger klog.Logger) record.EventRecorderLogger {
	if to, ok := r.to.(clientevents.EventRecorderLogger); ok {
		return &Recorder{to.WithLogger(logger), r.bridges}
	}
	return r
}
