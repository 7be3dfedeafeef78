// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	clientevents "k8s.io/client-go/tools/events"

	"github.com/eventseries/eventseries/events/eventstest"
)

// t stands for the *testing.T of a test, which an example does not have. It prints the failures.
var t = printer{}

type printer struct{ testing.TB }

func (printer) Helper()           {}
func (printer) Cleanup(func())    {}
func (printer) Log(...any)        {}
func (printer) Error(args ...any) { fmt.Println(args...) }

func (printer) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

func (printer) Name() string { return "Example" }

func (printer) Context() context.Context { return context.Background() }

// deployment is the object of most Events in the examples.
var deployment = &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"}}

// scale is code under test: it records Events about the deployment.
func scale(recorder clientevents.EventRecorder) {
	recorder.Eventf(deployment, nil, "Normal", "Scaled", "Scale", "from %d to %d replicas", 1, 3)
	for range 3 {
		recorder.Eventf(deployment, nil, "Warning", "ScaleFailed", "Scale", "etcd is down")
	}
}

// evicted is an Event about pod web.
func evicted() *eventsv1.Event {
	return &eventsv1.Event{
		ObjectMeta:          metav1.ObjectMeta{Namespace: "default", Name: "web.17ab"},
		EventTime:           metav1.NowMicro(),
		ReportingController: "example.com/evictor",
		ReportingInstance:   "evictor-0",
		Action:              "Evicting",
		Reason:              "Evicted",
		Type:                corev1.EventTypeNormal,
		Note:                "the node is short of memory",
		Regarding:           corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web"},
	}
}

// tell is code under test: it creates an Event.
func tell(ctx context.Context, client kubernetes.Interface, event *eventsv1.Event) error {
	_, err := client.EventsV1().Events(event.Namespace).Create(ctx, event, metav1.CreateOptions{})
	return err
}

// A Recorder takes the place of client-go's FakeRecorder. It has the Events that an API server
// would have: one for each series, with its count.
func ExampleNewRecorder() {
	recorder := eventstest.NewRecorder(t)
	scale(recorder)
	fmt.Print(recorder)
	// Output:
	// Normal Scaled (Scale) Deployment default/web x1: "from 1 to 3 replicas"
	// Warning ScaleFailed (Scale) Deployment default/web x3: "etcd is down"
}

// If no Event matches, the report shows the nearest Events and the fields in which they differ.
func ExampleRecorder_Check() {
	recorder := eventstest.NewRecorder(t)
	scale(recorder)

	want := eventstest.Want{Type: "Warning", Reason: "ScaleFailed", Regarding: deployment, Count: 4}
	if err := recorder.Check(want); err != nil {
		t.Error(err)
	}
	// Output:
	// no Event is
	// 	Warning ScaleFailed Deployment default/web x4
	// nearest of 2:
	// 	Warning ScaleFailed (Scale) Deployment default/web x3: "etcd is down"
	// 		count: got 3, want 4
	// 	Normal Scaled (Scale) Deployment default/web x1: "from 1 to 3 replicas"
	// 		type: got "Normal", want "Warning"
	// 		reason: got "Scaled", want "ScaleFailed"
	// 		count: got 1, want 4
}

// Series have neither generated names nor times, so go-cmp can compare them without options.
func ExampleRecorder_Series() {
	recorder := eventstest.NewRecorder(t)
	scale(recorder)

	web := eventstest.Object{Kind: "Deployment", Namespace: "default", Name: "web"}
	want := []eventstest.Series{
		{Type: "Normal", Reason: "Scaled", Action: "Scale", Note: "from 1 to 3 replicas", Regarding: web, Count: 1},
		{Type: "Warning", Reason: "ScaleFailed", Action: "Scale", Note: "etcd is down", Regarding: web, Count: 3},
	}
	if diff := cmp.Diff(want, recorder.Series()); diff != "" {
		t.Errorf("series (-want +got):\n%s", diff)
	}
	fmt.Println(len(recorder.Series()), "series")
	// Output: 2 series
}

// An API server refuses an Event without an action. In production the SDK repairs the Event. With
// Strict the test fails instead.
func ExampleStrict() {
	recorder := eventstest.NewRecorder(t, eventstest.Strict())
	recorder.Eventf(deployment, nil, "Normal", "Scaled", "", "from 1 to 3 replicas")
	// Output:
	// eventstest: not recorded, Invalid: Normal Scaled regarding Deployment default/web: it needs repairs, which eventstest.Strict forbids: [ActionEmpty]
}

// A Want has the fields that matter to the test. The other fields match anything.
func ExampleWant() {
	recorder := eventstest.NewRecorder(t)
	scale(recorder)
	fmt.Println(recorder.Check(eventstest.Want{Regarding: deployment, NoteContains: "to 3 replicas"}))
	// Output: <nil>
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

// None wants no Event with the given fields.
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

// Check takes a Recorder, a Sink, a Clientset or a slice of Events.
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
