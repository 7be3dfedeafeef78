// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiclient

import (
	"context"

	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	typedeventsv1 "k8s.io/client-go/kubernetes/typed/events/v1"
)

// EventsV1 writes through events.k8s.io/v1.
type EventsV1 struct {
	client typedeventsv1.EventsV1Interface
}

// NewEventsV1 returns a sink over client.
func NewEventsV1(client typedeventsv1.EventsV1Interface) *EventsV1 { return &EventsV1{client} }

// Create posts event.
func (s *EventsV1) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	if event.Namespace == "" {
		return nil, errNoNamespace
	}
	client := usable(s.client.RESTClient())
	if client == nil {
		return s.client.Events(event.Namespace).Create(ctx, event, metav1.CreateOptions{})
	}
	stored := &eventsv1.Event{}
	return stored, create(ctx, client, event.Namespace, event, stored)
}

// Patch sends the strategic merge patch of event.
func (s *EventsV1) Patch(ctx context.Context, event *eventsv1.Event, data []byte) (*eventsv1.Event, error) {
	if event.Namespace == "" {
		return nil, errNoNamespace
	}
	client := usable(s.client.RESTClient())
	if client == nil {
		return s.client.Events(event.Namespace).
			Patch(ctx, event.Name, types.StrategicMergePatchType, data, metav1.PatchOptions{})
	}
	stored := &eventsv1.Event{}
	key := types.NamespacedName{Namespace: event.Namespace, Name: event.Name}
	return stored, patch(ctx, client, key, data, stored)
}
