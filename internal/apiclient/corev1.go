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

// CoreV1 writes the same object as EventsV1 through core/v1. Both groups store Events under
// one key (AddCohabitatingResources, in pkg/kubeapiserver/default_storage_factory_builder.go
// of Kubernetes). So an Event that was created through one group can be patched through the
// other.
type CoreV1 struct{ events CoreWriter }

// NewCoreV1 returns a sink over events.
func NewCoreV1(events CoreWriter) *CoreV1 { return &CoreV1{events} }

// Create posts event as a core/v1 Event.
func (s *CoreV1) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	return FromCore(s.events.Create(ctx, ToCore(event)))
}

// Patch sends the strategic merge patch of event, and adds count and lastTimestamp.
func (s *CoreV1) Patch(ctx context.Context, event *eventsv1.Event, data []byte) (*eventsv1.Event, error) {
	data, err := corePatch(event, data)
	if err != nil {
		return nil, err
	}
	return FromCore(s.events.Patch(ctx, ToCore(event), data)) // a foreign sink may look at all of it
}

// FromCore converts the answer to a write. A sink of the caller may answer nothing.
func FromCore(stored *corev1.Event, err error) (*eventsv1.Event, error) {
	if err != nil || stored == nil {
		return nil, err
	}
	return eventconv.FromCore(stored), nil
}

// ToCore renames the fields as the API server's conversion does. It also sets the
// fields that readers of core/v1 expect: source, count and the two timestamps.
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

// corePatch adds count and lastTimestamp to a series patch.
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
