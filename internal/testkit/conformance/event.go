// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"encoding/json"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Events are written to these namespaces only, because every cluster has them.
const (
	namespace = metav1.NamespaceDefault
	another   = metav1.NamespaceSystem
)

// event returns an event with every field except a series, with a name of its own. All events of a trial are about one
// object, as they are when a component restarts.
func (c *trial) event() *eventsv1.Event {
	name := fmt.Sprintf("%s-%d", c.names, c.last.Add(1))
	return &eventsv1.Event{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:   namespace,
			Name:        name,
			Annotations: map[string]string{"example.com/team": "blue"},
		},
		EventTime:           metav1.NewMicroTime(time.Now().UTC().Truncate(time.Microsecond)),
		ReportingController: "example.com/conformance",
		ReportingInstance:   "conformance-1",
		Action:              "Stop",
		Reason:              "Stopping",
		Type:                corev1.EventTypeNormal,
		Note:                "stopping container web",
		Regarding: corev1.ObjectReference{
			APIVersion:      "v1",
			Kind:            "Pod",
			Namespace:       namespace,
			Name:            c.names,
			UID:             "7b3f4c1e",
			ResourceVersion: "41",
			FieldPath:       "spec.containers{web}",
		},
		Related: &corev1.ObjectReference{
			APIVersion: "v1",
			Kind:       "Node",
			Name:       "node-1",
			UID:        "c5a90d2b",
		},
	}
}

// counted returns event with a series of n occurrences.
func counted(event *eventsv1.Event, n int32) *eventsv1.Event {
	event = event.DeepCopy()
	last := metav1.NewMicroTime(event.EventTime.Add(time.Duration(n) * time.Second))
	event.Series = &eventsv1.EventSeries{Count: n, LastObservedTime: last}
	return event
}

// withoutSeries returns event as a broadcaster passes it with a patch of {}.
func withoutSeries(event *eventsv1.Event) *eventsv1.Event {
	event = event.DeepCopy()
	event.Series = nil
	return event
}

// annotated returns event with one more annotation.
func annotated(event *eventsv1.Event, key, value string) *eventsv1.Event {
	event = event.DeepCopy()
	event.Annotations[key] = value
	return event
}

// seriesPatch returns the patch of the stored version to event's series, with annotations. Without a version it is
// unconditional.
func seriesPatch(event *eventsv1.Event, version string, annotations map[string]string) []byte {
	metadata := map[string]any{}
	if version != "" {
		metadata["resourceVersion"] = version
	}
	if len(annotations) > 0 {
		metadata["annotations"] = annotations
	}
	data, err := json.Marshal(map[string]any{"series": event.Series, "metadata": metadata})
	if err != nil {
		panic(err) // texts, a number and a time
	}
	return data
}
