// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/events/eventstest"
)

// A Want has the fields that matter to the test; the others match anything.
func ExampleWant() {
	recorder := eventstest.NewRecorder(t)
	scale(recorder)
	fmt.Println(recorder.Check(eventstest.Want{Regarding: deployment, NoteContains: "to 3 replicas"}))
	// Output: <nil>
}

// An object reference with a field path asks for a part of the object, such as a container.
func ExampleWant_fieldPath() {
	main := &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web", FieldPath: "spec.containers{main}"}
	side := &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web", FieldPath: "spec.containers{side}"}
	recorder := eventstest.NewRecorder(t)
	recorder.Eventf(main, nil, "Normal", "Started", "Start", "container started")
	fmt.Println(recorder.Check(eventstest.Want{Reason: "Started", Regarding: side}))
	// Output:
	// no Event is
	// 	Started Pod default/web spec.containers{side}
	// nearest of 1:
	// 	Normal Started (Start) Pod default/web spec.containers{main} x1: "container started"
	// 		regarding: got "Pod default/web spec.containers{main}", want "Pod default/web spec.containers{side}"
}

// Only wants all of these Events and no others, in any order.
func ExampleOnly() {
	recorder := eventstest.NewRecorder(t)
	scale(recorder)
	fmt.Println(recorder.Check(eventstest.Only{{Reason: "Scaled"}}))
	// Output:
	// unexpected Events
	// 	Warning ScaleFailed (Scale) Deployment default/web x3: "etcd is down"
}

// None wants no such Event.
func ExampleNone() {
	recorder := eventstest.NewRecorder(t)
	scale(recorder)
	fmt.Println(recorder.Check(eventstest.None{Type: "Warning"}))
	// Output:
	// want no Event
	// 	Warning
	// but got
	// 	Warning ScaleFailed (Scale) Deployment default/web x3: "etcd is down"
}

// A matcher looks at a Recorder, a Sink, a Clientset or Events.
func ExampleCheck() {
	client := eventstest.NewClientset(evicted())
	if err := eventstest.Check(client, eventstest.Want{Reason: "Evicted", Count: 2}); err != nil {
		t.Error(err)
	}
	// Output:
	// no Event is
	// 	Evicted x2
	// nearest of 1:
	// 	Normal Evicted (Evicting) Pod default/web x1: "the node is short of memory"
	// 		count: got 1, want 2
}
