// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/tools/record/util"
	"k8s.io/client-go/tools/reference"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/eventlabels"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/usercode"
)

// Recorder records core/v1 events, like client-go's record.EventRecorderLogger.
// [Broadcaster.NewRecorder] makes it. It is safe for concurrent use. No method blocks,
// starts a goroutine, or keeps its arguments.
//
// An occurrence is invalid if its object cannot be referred to, if a method of the
// object panics, or if its type is neither Normal nor Warning. It counts as
// Dropped[Invalid], and is logged once a minute for each reason. Everything else is
// sent to the server unchanged.
type Recorder struct {
	broadcaster *Broadcaster
	scheme      *runtime.Scheme
	source      corev1.EventSource
	logger      klog.Logger
	annotations map[string]string // of WithContext; never changed
	labels      string            // as package eventlabels has them
}

var _ record.EventRecorderLogger = (*Recorder)(nil)

// call is one call of a recorder, old or new.
type call struct {
	regarding, related        runtime.Object
	annotations               map[string]string
	eventType, reason, action string
	message                   string // memory of its own
	repairs                   bool   // annotations are repaired, as in package events
}

// Event records message unchanged.
func (r *Recorder) Event(object runtime.Object, eventtype, reason, message string) {
	r.record(&call{
		regarding: object, eventType: eventtype, reason: reason, message: strings.Clone(message),
	})
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
	r.record(&call{
		regarding: object, annotations: annotations, eventType: eventtype, reason: reason,
		message: usercode.Sprintf(messageFmt, args...),
	})
}

// WithLogger returns a recorder that logs what it refuses to logger.
func (r *Recorder) WithLogger(logger klog.Logger) record.EventRecorderLogger {
	other := *r
	other.logger = usercode.Logger(logger)
	return &other
}

// WithContext returns a recorder that adds what [WithContextAnnotations] makes of ctx to
// the annotations of each event. An annotation that AnnotatedEventf sets itself wins.
// The result does not keep ctx, and replaces what an earlier WithContext has set.
func (r *Recorder) WithContext(ctx context.Context) record.EventRecorderLogger {
	annotate := r.broadcaster.config.annotate
	if annotate == nil {
		return r
	}
	other := *r
	other.annotations = nil
	r.broadcaster.log.Call("context annotations", func() { other.annotations = maps.Clone(annotate(ctx)) })
	return &other
}

// WithLabels returns a recorder that adds labels to those of its events, as
// [events.Recorder.WithLabels] does. What the API server would refuse is left out and
// logged. Later occurrences of an event leave its labels as they are.
func (r *Recorder) WithLabels(labels map[string]string) record.EventRecorderLogger {
	other := *r
	var err error
	other.labels, err = eventlabels.Add(r.labels, labels)
	r.broadcaster.log.labels(r.logger, err)
	return &other
}

func (r *Recorder) record(c *call) {
	occurred, err := r.recorded(c)
	if err != nil {
		r.broadcaster.refuse(r, c, err)
		r.broadcaster.log.invalid(r.logger, c, err)
		return
	}
	r.broadcaster.record(occurred)
}

// recorded copies what is needed of c. The methods of the caller's objects may panic, as
// they do for a nil pointer in a non-nil interface.
func (r *Recorder) recorded(c *call) (own *recorded, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("legacy: a method of %T %w", c.regarding, usercode.Recovered(p))
		}
	}()
	regarding, err := reference.GetReference(r.scheme, c.regarding)
	if err != nil {
		return nil, fmt.Errorf("legacy: cannot refer to %T; set its kind or register it with the scheme: %w",
			c.regarding, err)
	}
	if !util.ValidateEventType(c.eventType) {
		return nil, fmt.Errorf("legacy: event type %q, want %s or %s",
			c.eventType, corev1.EventTypeNormal, corev1.EventTypeWarning)
	}
	own = &recorded{
		recorder: r, object: *regarding, related: r.reference(c.related),
		annotations: cloneAnnotations(r.annotations, c.annotations),
		eventType:   c.eventType, reason: c.reason, action: c.action, message: c.message,
		at: r.broadcaster.clock.Now(),
	}
	if c.repairs {
		var repaired bool
		if own.annotations, repaired = eventlabels.RepairAnnotations(own.annotations); repaired {
			r.broadcaster.log.annotations(r.logger, c.reason)
		}
	}
	cloneTexts(&own.object, &own.eventType, &own.reason, &own.action)
	own.name = eventName(own.object.Name, own.at.UnixNano())
	return own, nil
}

// eventName returns what [util.GenerateEventName] does. That takes a third of the time
// of a call to check the name, which nearly always is plain.
func eventName(object string, nanoseconds int64) string {
	if nanoseconds > 0 && series.PlainLabel(object) {
		return object + "." + strconv.FormatInt(nanoseconds, 16)
	}
	return util.GenerateEventName(object, nanoseconds)
}

// reference returns a reference to the related object, or nil if that is not possible.
func (r *Recorder) reference(related runtime.Object) *corev1.ObjectReference {
	if related == nil {
		return nil
	}
	var found *corev1.ObjectReference
	_ = usercode.Call(func() { found, _ = reference.GetReference(r.scheme, related) })
	if found == nil {
		return nil
	}
	own := *found
	cloneTexts(&own)
	return &own
}

// cloneTexts gives ref and the other texts one piece of memory of their own, because a
// substring would keep the whole string in memory.
func cloneTexts(ref *corev1.ObjectReference, others ...*string) {
	texts := append([]*string{
		&ref.Kind, &ref.Namespace, &ref.Name, (*string)(&ref.UID),
		&ref.APIVersion, &ref.ResourceVersion, &ref.FieldPath,
	}, others...)
	size := 0
	for _, text := range texts {
		size += len(*text)
	}
	var b strings.Builder
	b.Grow(size)
	for _, text := range texts {
		b.WriteString(*text)
	}
	all := b.String()
	for _, text := range texts {
		n := len(*text)
		*text, all = all[:n], all[n:]
	}
}

// cloneAnnotations returns a copy of both maps. Those of the call win.
func cloneAnnotations(recorder, call map[string]string) map[string]string {
	if recorder == nil && call == nil {
		return nil
	}
	own := make(map[string]string, len(recorder)+len(call))
	for _, annotations := range []map[string]string{recorder, call} {
		for key, value := range annotations {
			own[strings.Clone(key)] = strings.Clone(value)
		}
	}
	return own
}

// uniqueClock never returns the same time twice. Names of Events end in the
// nanoseconds at which they were made, also those that the correlator makes. On a
// coarse clock two Events of an object would share a name, the server would answer
// AlreadyExists, and the second would be lost (kubernetes#95903).
type uniqueClock struct {
	clock.PassiveClock

	mu   sync.Mutex // guards last
	last time.Time
}

// Now returns a time after all that it returned before.
func (c *uniqueClock) Now() time.Time {
	now := c.PassiveClock.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !now.After(c.last) {
		now = c.last.Add(time.Nanosecond)
	}
	c.last = now
	return now
}
