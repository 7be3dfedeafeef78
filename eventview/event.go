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

// Event is what an Event says. The package's documentation has the rule of each field.
type Event struct {
	// Namespace, Name, UID and ResourceVersion are those of the Event, not of its object.
	Namespace       string    `json:"namespace"`
	Name            string    `json:"name"`
	UID             types.UID `json:"uid,omitempty"`
	ResourceVersion string    `json:"resourceVersion,omitempty"`
	// Type is Normal or Warning. Writers of core/v1 may use others.
	Type   string `json:"type"`
	Reason string `json:"reason"`
	Action string `json:"action,omitempty"`
	// Note is the first occurrence's, NewestNote that of the last one that is known.
	Note       string `json:"note"`
	NewestNote string `json:"newestNote"`
	// Regarding is the object that the Event is about. Related is another one, empty
	// without one.
	Regarding corev1.ObjectReference `json:"regarding"`
	Related   corev1.ObjectReference `json:"related,omitzero"`
	// Controller is the component that reports, Instance its process or node.
	Controller string `json:"controller,omitempty"`
	Instance   string `json:"instance,omitempty"`
	// First and Last are the times of the first and the newest occurrence. Both are zero
	// if the Event has no time at all.
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
	// Created is when the API server stored the Event, by its own clock, in seconds. An Event that was made
	// again under its name has the time of that. Zero if it is not known.
	Created time.Time `json:"created,omitzero"`
	// Count is the number of occurrences, at least 1.
	Count int64 `json:"count"`
	// Shares say which process has counted how much, if the writer counts with
	// events.WithSharedCounts; else nil.
	Shares []Share `json:"shares,omitempty"`
}

// Share is what one process counts in an Event. ID tells processes of one instance apart.
type Share struct {
	Instance string `json:"instance"`
	ID       string `json:"id"`
	Count    int64  `json:"count"`
}

// overAfter is the time after which both client-go's tools/events and this SDK begin a new
// Event: counts are written within 30 minutes, and a series ends 6 minutes after its last
// occurrence.
const overAfter = (30 + 6) * time.Minute

// Over reports whether the series had ended by now, so that another occurrence makes
// another Event. Until 36 minutes after Last that cannot be seen, because counts are
// written late. client-go's tools/record ends no series, and goes on in an Event that is over.
func (e *Event) Over(now time.Time) bool { return now.Sub(e.Last) > overAfter }

// began is the earliest time that the first occurrence can have. A writer's clock may be ahead of the API
// server's, and nothing is stored before it has occurred.
func (e *Event) began() time.Time {
	if !e.Created.IsZero() && e.Created.Before(e.First) {
		return e.Created
	}
	return e.First
}

// FromEventsV1 returns the view of an Event of events.k8s.io/v1. It keeps nothing of e but strings.
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
		v.Count = max(v.Count, int64(e.Series.Count))
		v.Last = latest(v.Last, e.Series.LastObservedTime.Time)
	}
	v.First = firstSet(e.EventTime.Time, e.DeprecatedFirstTimestamp.Time, e.CreationTimestamp.Time, v.Last)
	// Some writers set eventTime anew with each occurrence. firstTimestamp is in seconds: in the same one, eventTime
	// is the more exact.
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

// FromCoreV1 returns the view of an Event of core/v1, as FromEventsV1 does.
func FromCoreV1(e *corev1.Event) Event { return FromEventsV1(eventconv.FromCore(e)) }

// FromUnstructured returns the view of an Event of either API, as a dynamic client reads it.
// It is an error if u is no Event, or has fields of another type.
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

// of returns the view of what a client has read.
func of(object any) (Event, error) {
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
