// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// storedBytes is what etcd keeps of one Event: the key and the value, which is core/v1's protobuf, whichever API the
// Event came through. The Event is a usual one: a container that is backed off from.
func storedBytes(through string) (key, value int) {
	e := storedEvent(through)
	fields, err := json.Marshal(ownedFields(e))
	if err != nil {
		panic(err) // a map
	}
	e.ManagedFields = []metav1.ManagedFieldsEntry{{
		Manager: "kubelet", Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: through, FieldsType: "FieldsV1",
		Time: &e.CreationTimestamp, FieldsV1: metav1.NewFieldsV1(string(fields)),
	}}
	raw, err := e.Marshal()
	if err != nil {
		panic(err) // every field can be encoded
	}
	envelope := runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: "v1", Kind: "Event"}, Raw: raw}
	const magic = 4 // "k8s" and a zero byte
	return len("/registry/events/" + e.Namespace + "/" + e.Name), envelope.Size() + magic
}

const eventsV1, coreV1 = "events.k8s.io/v1", "v1"

func storedEvent(through string) *corev1.Event {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	e := &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "team-0123", Name: "app-12345-0000abcd.18a0b1c2d3e4f5a6",
			UID:               "01234567-89ab-4cde-8f01-23456789abcd",
			CreationTimestamp: metav1.NewTime(now),
		},
		InvolvedObject: corev1.ObjectReference{
			APIVersion: "v1", Kind: "Pod", Namespace: "team-0123", Name: "app-12345-0000abcd",
			UID: "01234567-89ab-4cde-8f01-23456789abcd", ResourceVersion: "123456789",
			FieldPath: "spec.containers{main}",
		},
		Type: "Warning", Reason: "BackOff",
		Message: "Back-off restarting failed container main in pod app-12345-0000abcd",
	}
	if through == coreV1 {
		e.Source = corev1.EventSource{Component: "kubelet", Host: "node-01234"}
		e.ReportingController, e.ReportingInstance = "kubelet", "node-01234"
		e.Count, e.FirstTimestamp, e.LastTimestamp = 100, metav1.NewTime(now), metav1.NewTime(now)
		return e
	}
	e.Action, e.EventTime = "Restarting", metav1.NewMicroTime(now)
	e.ReportingController, e.ReportingInstance = "kubelet", "kubelet-node-01234"
	e.Series = &corev1.EventSeries{Count: 100, LastObservedTime: metav1.NewMicroTime(now)}
	return e
}

// ownedFields are what the server says that the writer owns: every field it set. References are owned as a whole.
func ownedFields(e *corev1.Event) map[string]any {
	raw, err := runtime.DefaultUnstructuredConverter.ToUnstructured(e)
	if err != nil {
		panic(err) // an Event
	}
	delete(raw, "metadata")
	return owned(raw)
}

func owned(of map[string]any) map[string]any {
	fields := make(map[string]any, len(of))
	for _, name := range slices.Collect(maps.Keys(of)) {
		inner, nested := of[name].(map[string]any)
		switch {
		case of[name] == nil:
		case nested && name != "involvedObject":
			fields["f:"+name] = owned(inner)
		default:
			fields["f:"+name] = struct{}{}
		}
	}
	return fields
}
