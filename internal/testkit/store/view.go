// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/eventseries/eventseries/internal/eventconv"
)

// FromView returns the stored shape of an Event of either group. Anything else is an empty Event, which no rule
// accepts.
func FromView(object runtime.Object) *corev1.Event {
	switch o := object.(type) {
	case *corev1.Event:
		return o
	case *eventsv1.Event:
		return eventconv.ToCore(o)
	default:
		return &corev1.Event{}
	}
}

// View returns a stored Event as the group version via sees it, and hands its memory over.
func View(via schema.GroupVersion, event *corev1.Event) runtime.Object {
	if via == corev1.SchemeGroupVersion {
		return event
	}
	return eventconv.FromCore(event)
}

// ListView returns stored Events as the group version via sees them, and hands their memory over.
func ListView(via schema.GroupVersion, events []*corev1.Event, version string) runtime.Object {
	meta := metav1.ListMeta{ResourceVersion: version}
	if via == corev1.SchemeGroupVersion {
		list := &corev1.EventList{ListMeta: meta}
		for _, event := range events {
			list.Items = append(list.Items, *event)
		}
		return list
	}
	list := &eventsv1.EventList{ListMeta: meta}
	for _, event := range events {
		list.Items = append(list.Items, *eventconv.FromCore(event))
	}
	return list
}
