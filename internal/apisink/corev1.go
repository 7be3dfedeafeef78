// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apisink

import (
	"context"
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
)

// CoreClient is what a CoreV1 needs of a typed core/v1 client.
type CoreClient interface {
	RESTClient() rest.Interface
	typedcorev1.EventsGetter
}

// CoreV1 writes the same object as EventsV1 through core/v1. Both groups share
// one storage key (facts: default_storage_factory_builder.go), so that an Event
// created through one is patched through the other.
type CoreV1 struct{ client CoreClient }

// NewCoreV1 returns a sink over client.
func NewCoreV1(client CoreClient) *CoreV1 { return &CoreV1{client} }

// Create posts event as a core/v1 Event.
func (s *CoreV1) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	if event.Namespace == "" {
		return nil, errNoNamespace
	}
	stored, err := &corev1.Event{}, error(nil)
	if client := usable(s.client.RESTClient()); client != nil {
		err = create(ctx, client, event.Namespace, toCore(event), stored)
	} else {
		stored, err = s.client.Events(event.Namespace).Create(ctx, toCore(event), metav1.CreateOptions{})
	}
	return asStored(stored, err)
}

// Patch sends the strategic merge patch of event, with core/v1's own count and
// time added.
func (s *CoreV1) Patch(ctx context.Context, event *eventsv1.Event, data []byte) (*eventsv1.Event, error) {
	if event.Namespace == "" {
		return nil, errNoNamespace
	}
	data, err := corePatch(event, data)
	if err != nil {
		return nil, err
	}
	stored := &corev1.Event{}
	if client := usable(s.client.RESTClient()); client != nil {
		key := types.NamespacedName{Namespace: event.Namespace, Name: event.Name}
		err = patch(ctx, client, key, data, stored)
	} else {
		stored, err = s.client.Events(event.Namespace).
			Patch(ctx, event.Name, types.StrategicMergePatchType, data, metav1.PatchOptions{})
	}
	return asStored(stored, err)
}

// asStored answers with what the server has, which is not what was sent when a
// patch only asks for it. It takes stored over.
func asStored(stored *corev1.Event, err error) (*eventsv1.Event, error) {
	if err != nil {
		return nil, err
	}
	return &eventsv1.Event{
		ObjectMeta:               stored.ObjectMeta,
		EventTime:                stored.EventTime,
		Series:                   (*eventsv1.EventSeries)(stored.Series),
		ReportingController:      stored.ReportingController,
		ReportingInstance:        stored.ReportingInstance,
		Action:                   stored.Action,
		Reason:                   stored.Reason,
		Regarding:                stored.InvolvedObject,
		Related:                  stored.Related,
		Note:                     stored.Message,
		Type:                     stored.Type,
		DeprecatedSource:         stored.Source,
		DeprecatedFirstTimestamp: stored.FirstTimestamp,
		DeprecatedLastTimestamp:  stored.LastTimestamp,
		DeprecatedCount:          stored.Count,
	}, nil
}

// toCore renames the fields as the API server's conversion does, and fills in
// those that readers of core/v1 know: source, count and the two timestamps.
func toCore(e *eventsv1.Event) *corev1.Event {
	core := &corev1.Event{
		ObjectMeta:          *e.ObjectMeta.DeepCopy(),
		InvolvedObject:      e.Regarding,
		Related:             e.Related.DeepCopy(),
		Reason:              e.Reason,
		Message:             e.Note,
		Type:                e.Type,
		Action:              e.Action,
		EventTime:           e.EventTime,
		ReportingController: e.ReportingController,
		ReportingInstance:   e.ReportingInstance,
		Source:              corev1.EventSource{Component: e.ReportingController},
		FirstTimestamp:      metav1.NewTime(e.EventTime.Time),
		LastTimestamp:       metav1.NewTime(e.EventTime.Time),
		Count:               1,
	}
	if e.Series != nil {
		core.Series = &corev1.EventSeries{Count: e.Series.Count, LastObservedTime: e.Series.LastObservedTime}
		core.Count, core.LastTimestamp = e.Series.Count, metav1.NewTime(e.Series.LastObservedTime.Time)
	}
	return core
}

// corePatch adds count and lastTimestamp to a series patch.
func corePatch(e *eventsv1.Event, data []byte) ([]byte, error) {
	if e.Series == nil {
		return data, nil
	}
	var body map[string]any
	if err := json.Unmarshal(data, &body); err != nil {
		return nil, &rest.RequestConstructionError{Err: fmt.Errorf("sinks: the patch is not a JSON object: %w", err)}
	}
	body["count"] = e.Series.Count
	body["lastTimestamp"] = metav1.NewTime(e.Series.LastObservedTime.Time)
	return json.Marshal(body)
}
