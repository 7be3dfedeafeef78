// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiclient

import (
	"context"
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/internal/eventconv"
)

// CoreV1 is a sink that writes the Events of the SDK through core/v1. The server stores the same
// object as with EventsV1: both API groups keep Events under one key (AddCohabitatingResources, in
// pkg/kubeapiserver/default_storage_factory_builder.go of Kubernetes). So an Event that was created
// through one group can be patched through the other.
type CoreV1 struct{ events CoreWriter }

// NewCoreV1 returns a sink that writes through events.
func NewCoreV1(events CoreWriter) *CoreV1 { return &CoreV1{events} }

// Create creates event as a core/v1 Event, in one request.
func (s *CoreV1) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	return FromCore(s.events.Create(ctx, ToCore(event)))
}

// Patch sends data, the strategic merge patch of event, in one request. It adds count and
// lastTimestamp to the patch, because readers of core/v1 use them. If data is not a JSON object, it
// returns an error without sending a request.
func (s *CoreV1) Patch(ctx context.Context, event *eventsv1.Event, data []byte) (*eventsv1.Event, error) {
	data, err := corePatch(event, data)
	if err != nil {
		return nil, err
	}
	// A sink of the caller may look at every field of the Event.
	return FromCore(s.events.Patch(ctx, ToCore(event), data))
}

// FromCore converts the result of a write through core/v1. stored may be nil even if err is nil,
// because a user's sink need not return the Event. The result is then nil too.
func FromCore(stored *corev1.Event, err error) (*eventsv1.Event, error) {
	if err != nil || stored == nil {
		return nil, err
	}
	return eventconv.FromCore(stored), nil
}

// ToCore returns e as a core/v1 Event. It renames the fields as the API server's conversion does,
// and sets the fields that only readers of core/v1 look at: source, count and the two timestamps.
// The result shares no memory with e.
func ToCore(e *eventsv1.Event) *corev1.Event {
	core := eventconv.ToCore(e.DeepCopy())
	core.Source = corev1.EventSource{Component: e.ReportingController}
	core.FirstTimestamp = metav1.NewTime(e.EventTime.Time)
	core.LastTimestamp = metav1.NewTime(e.EventTime.Time)
	core.Count = 1
	if e.Series != nil {
		core.Count = e.Series.Count
		core.LastTimestamp = metav1.NewTime(e.Series.LastObservedTime.Time)
	}
	return core
}

// corePatch adds the count and lastTimestamp of e to data, a strategic merge patch. If e has no
// series it returns data unchanged.
func corePatch(e *eventsv1.Event, data []byte) ([]byte, error) {
	if e.Series == nil {
		return data, nil
	}
	var body map[string]any
	if err := json.Unmarshal(data, &body); err != nil || body == nil {
		return nil, unsendable("the patch is not a JSON object: %.100q", data)
	}
	body["count"] = e.Series.Count
	body["lastTimestamp"] = metav1.NewTime(e.Series.LastObservedTime.Time)
	return json.Marshal(body)
}
