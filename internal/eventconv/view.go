// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package eventconv converts Events between core/v1 and events.k8s.io/v1. The server stores the
// same object for both, and the two API groups only have different names for its fields.
package eventconv

import (
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
)

// ToCore returns the core/v1 view of event. It only renames fields, so nothing is lost. The result
// shares the maps, slices and pointers of event. It has no TypeMeta, because the TypeMeta of event
// would name the wrong API group.
func ToCore(event *eventsv1.Event) *corev1.Event {
	return &corev1.Event{
		ObjectMeta:          event.ObjectMeta,
		InvolvedObject:      event.Regarding,
		Reason:              event.Reason,
		Message:             event.Note,
		Source:              event.DeprecatedSource,
		FirstTimestamp:      event.DeprecatedFirstTimestamp,
		LastTimestamp:       event.DeprecatedLastTimestamp,
		Count:               event.DeprecatedCount,
		Type:                event.Type,
		EventTime:           event.EventTime,
		Series:              (*corev1.EventSeries)(event.Series),
		Action:              event.Action,
		Related:             event.Related,
		ReportingController: event.ReportingController,
		ReportingInstance:   event.ReportingInstance,
	}
}

// FromCore returns the events.k8s.io/v1 view of event. It is the inverse of [ToCore]. The result
// shares the maps, slices and pointers of event, too.
func FromCore(event *corev1.Event) *eventsv1.Event {
	return &eventsv1.Event{
		ObjectMeta:               event.ObjectMeta,
		EventTime:                event.EventTime,
		Series:                   (*eventsv1.EventSeries)(event.Series),
		ReportingController:      event.ReportingController,
		ReportingInstance:        event.ReportingInstance,
		Action:                   event.Action,
		Reason:                   event.Reason,
		Regarding:                event.InvolvedObject,
		Related:                  event.Related,
		Note:                     event.Message,
		Type:                     event.Type,
		DeprecatedSource:         event.Source,
		DeprecatedFirstTimestamp: event.FirstTimestamp,
		DeprecatedLastTimestamp:  event.LastTimestamp,
		DeprecatedCount:          event.Count,
	}
}
