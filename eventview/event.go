// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventview

import (
	"cmp"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/internal/eventconv"
	"github.com/eventseries/eventseries/internal/series"
)

// Event is a uniform view of an Event of either API. The package documentation says which fields of
// the Event each value comes from.
type Event struct {
	// Namespace, Name, UID and ResourceVersion belong to the Event itself, not to the object that
	// it is about.
	Namespace       string    `json:"namespace"`
	Name            string    `json:"name"`
	UID             types.UID `json:"uid,omitempty"`
	ResourceVersion string    `json:"resourceVersion,omitempty"`
	// Type is Normal or Warning. Writers of core/v1 may use other types.
	Type   string `json:"type"`
	Reason string `json:"reason"`
	Action string `json:"action,omitempty"`
	// Note is the note of the first occurrence. NewestNote is the note of the newest occurrence, if
	// the writer stores it, otherwise Note.
	Note       string `json:"note"`
	NewestNote string `json:"newestNote"`
	// Regarding is the object that the Event is about. Related is a second object that is involved.
	// It is empty if there is no such object.
	Regarding corev1.ObjectReference `json:"regarding"`
	Related   corev1.ObjectReference `json:"related,omitzero"`
	// Controller is the component that recorded the Event. Instance is the process or the node of
	// the component.
	Controller string `json:"controller,omitempty"`
	Instance   string `json:"instance,omitempty"`
	// First and Last are the times of the first and of the newest occurrence. Both are zero if the
	// Event has no time at all.
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
	// Created is the time at which the API server stored the Event, according to the clock of the
	// server, in whole seconds. If an Event was deleted and created again under its name, Created
	// is the time of the new Event. It is zero if the time is not known.
	Created time.Time `json:"created,omitzero"`
	// Count is the number of occurrences, at least 1.
	Count int64 `json:"count"`
	// Series is true if the writer counts in the series of events.k8s.io/v1. Such a writer may
	// write a count up to 30 minutes late.
	Series bool `json:"series,omitempty"`
	// Shares lists the count of each process that counts in the Event. It is nil unless the writer
	// uses events.WithSharedCounts.
	Shares []Share `json:"shares,omitempty"`
}

// Share is the number of occurrences that one process has counted in an Event. ID is unique for
// each process, so that two processes of the same Instance can be told apart.
type Share struct {
	Instance string `json:"instance"`
	ID       string `json:"id"`
	Count    int64  `json:"count"`
}

// endedAfter is the silence after which a series has certainly ended. The writer may write the
// newest count up to 30 minutes late, and client-go's tools/events and this SDK end a series 6
// minutes after its last occurrence.
const endedAfter = (30 + 6) * time.Minute

// Ended reports whether the series of the Event had certainly ended at the time now, so that the
// next occurrence makes a new Event. It is true from 36 minutes after Last on. A reader cannot know
// earlier whether the series has ended, because a writer may write a count up to 30 minutes late.
// An exception is client-go's tools/record, which never ends a series, and continues to count in an
// Event for which Ended is true.
func (e *Event) Ended(now time.Time) bool { return now.Sub(e.Last) > endedAfter }

// began returns the earliest time at which the first occurrence can have happened: First, or
// Created if that is earlier. Created is earlier if the clock of the writer is ahead, because an
// Event is stored after its first occurrence.
func (e *Event) began() time.Time {
	if !e.Created.IsZero() && e.Created.Before(e.First) {
		return e.Created
	}
	return e.First
}

// FromEventsV1 returns the view of an Event of events.k8s.io/v1. The view shares only strings with
// e, so it does not keep e in memory.
func FromEventsV1(e *eventsv1.Event) Event {
	v := Event{
		Namespace:       e.Namespace,
		Name:            e.Name,
		UID:             e.UID,
		ResourceVersion: e.ResourceVersion,
		Type:            e.Type,
		Reason:          e.Reason,
		Action:          e.Action,
		Note:            e.Note,
		NewestNote:      e.Note,
		Regarding:       e.Regarding,
		Controller:      cmp.Or(e.ReportingController, e.DeprecatedSource.Component),
		Instance:        cmp.Or(e.ReportingInstance, e.DeprecatedSource.Host),
		Count:           max(int64(e.DeprecatedCount), 1),
		Created:         e.CreationTimestamp.Time,
	}
	if note, ok := e.Annotations[series.LatestNote]; ok {
		v.NewestNote = note
	}
	if e.Related != nil {
		v.Related = *e.Related
	}
	v.Last = latest(e.DeprecatedLastTimestamp.Time, e.EventTime.Time, e.DeprecatedFirstTimestamp.Time)
	if e.Series != nil {
		v.Series = true
		v.Count = max(v.Count, int64(e.Series.Count))
		v.Last = latest(v.Last, e.Series.LastObservedTime.Time)
	}
	v.First = firstSet(e.EventTime.Time, e.DeprecatedFirstTimestamp.Time, e.CreationTimestamp.Time, v.Last)
	// Some writers set eventTime to the time of the newest occurrence, so if eventTime is in a
	// later second, firstTimestamp is right. Within the same second eventTime is right, because it
	// has microseconds and firstTimestamp has only seconds.
	if seconds := e.DeprecatedFirstTimestamp.Time; !seconds.IsZero() && v.First.Truncate(time.Second).After(seconds) {
		v.First = seconds
	}
	v.Last = latest(v.Last, v.First)
	if shares, err := series.SharesOf(e.Annotations); err == nil {
		for _, s := range shares {
			v.Shares = append(v.Shares, Share{
				Instance: s.Instance,
				ID:       s.ID,
				Count:    s.Count,
			})
		}
	}
	return v
}

// FromCoreV1 returns the view of an Event of core/v1. The view shares only strings with e.
func FromCoreV1(e *corev1.Event) Event { return FromEventsV1(eventconv.FromCore(e)) }

// FromUnstructured returns the view of an Event of either API that was read by a dynamic client. It
// returns an error if u is not an Event, or if a field has the wrong type.
func FromUnstructured(u *unstructured.Unstructured) (Event, error) {
	var err error
	switch u.GroupVersionKind() {
	case eventsv1.SchemeGroupVersion.WithKind("Event"):
		var e eventsv1.Event
		err = runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, &e)
		if err == nil {
			return FromEventsV1(&e), nil
		}
	case corev1.SchemeGroupVersion.WithKind("Event"):
		var e corev1.Event
		err = runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, &e)
		if err == nil {
			return FromCoreV1(&e), nil
		}
	default:
		err = fmt.Errorf("it is %v", u.GroupVersionKind())
	}
	return Event{}, fmt.Errorf("eventview: %s/%s is no Event of events.k8s.io/v1 or core/v1: %w",
		u.GetNamespace(), u.GetName(), err)
}

// viewOf returns the view of an object that a client has read.
func viewOf(object any) (Event, error) {
	switch e := object.(type) {
	case *eventsv1.Event:
		return FromEventsV1(e), nil
	case *corev1.Event:
		return FromCoreV1(e), nil
	case *unstructured.Unstructured:
		return FromUnstructured(e)
	}
	return Event{}, fmt.Errorf("eventview: %T is no Event", object)
}

func latest(times ...time.Time) (last time.Time) {
	for _, t := range times {
		if t.After(last) {
			last = t
		}
	}
	return last
}

func firstSet(times ...time.Time) time.Time {
	for _, t := range times {
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}
