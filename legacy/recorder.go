// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/usercode"
)

// Recorder records core/v1 events, like client-go's record.EventRecorderLogger.
// [Broadcaster.NewRecorder] makes it. It is safe for concurrent use. No method blocks,
// starts a goroutine, or keeps its arguments.
//
// An occurrence is invalid if its object cannot be referred to, if a method of the
// object panics, if its namespace cannot exist, or if its type is neither Normal nor
// Warning. It counts as Dropped[Invalid], and is logged once a minute for each reason.
// Annotations and labels that the server would refuse are left out. Everything else is
// sent to the server unchanged.
type Recorder struct{ recorder *events.Recorder }

var _ record.EventRecorderLogger = (*Recorder)(nil)

// Event records message unchanged.
func (r *Recorder) Event(object runtime.Object, eventtype, reason, message string) {
	r.recorder.Event(object, nil, eventtype, reason, "", message)
}

// Eventf is Event with the message formatted as by fmt.Sprintf.
func (r *Recorder) Eventf(object runtime.Object, eventtype, reason, messageFmt string, args ...any) {
	r.recorder.Event(object, nil, eventtype, reason, "", usercode.Sprintf(messageFmt, args...))
}

// AnnotatedEventf is Eventf with annotations for the event, which are copied.
// They are stored when the event is created. The correlator ignores the annotations
// of later occurrences.
func (r *Recorder) AnnotatedEventf(object runtime.Object, annotations map[string]string,
	eventtype, reason, messageFmt string, args ...any,
) {
	message := usercode.Sprintf(messageFmt, args...)
	r.recorder.AnnotatedEventf(object, nil, annotations, eventtype, reason, "", "%s", message)
}

// WithLogger returns a recorder that logs what it refuses to logger.
func (r *Recorder) WithLogger(logger klog.Logger) record.EventRecorderLogger {
	return &Recorder{r.recorder.WithLogger(logger).(*events.Recorder)}
}

// WithContext returns a recorder that adds what [events.WithContextAnnotations] makes of ctx to
// the annotations of each event; see [events.Recorder.WithContext].
func (r *Recorder) WithContext(ctx context.Context) record.EventRecorderLogger {
	return &Recorder{r.recorder.WithContext(ctx)}
}

// WithLabels returns a recorder that adds labels to those of its events, as
// [events.Recorder.WithLabels] does. Later occurrences of an event leave its labels as
// they are.
func (r *Recorder) WithLabels(labels map[string]string) record.EventRecorderLogger {
	return &Recorder{r.recorder.WithLabels(labels)}
}
