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

// The rules write Events to these namespaces only, because every cluster has them.
const (
	namespace = metav1.NamespaceDefault
	another   = metav1.NamespaceSystem
)

// event returns an Event with a new name, in which every field except the series is set. All Events
// of a trial are about the same object, like the Events of a component that was restarted.
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

// counted returns a copy of event with a series of n occurrences.
func counted(event *eventsv1.Event, n int32) *eventsv1.Event {
	event = event.DeepCopy()
	last := metav1.NewMicroTime(event.EventTime.Add(time.Duration(n) * time.Second))
	event.Series = &eventsv1.EventSeries{Count: n, LastObservedTime: last}
	return event
}

// withoutSeries returns a copy of event without its series. A broadcaster passes such an Event to
// the sink together with the empty patch {}.
func withoutSeries(event *eventsv1.Event) *eventsv1.Event {
	event = event.DeepCopy()
	event.Series = nil
	return event
}

// annotated returns a copy of event with an additional annotation.
func annotated(event *eventsv1.Event, key, value string) *eventsv1.Event {
	event = event.DeepCopy()
	event.Annotations[key] = value
	return event
}

// seriesPatch returns a patch that sets the series of event and adds annotations. The patch
// requires the stored Event to have the resourceVersion version, or applies to any version if
// version is "".
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
		// Texts, a number and a time can always be encoded.
		panic(err)
	}
	return data
}
