// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest_test

import (
	"context"
	"fmt"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/legacy"
)

// The recorder takes the place of client-go's FakeRecorder. It holds what an API server would: one Event per series.
func ExampleNewRecorder() {
	recorder := eventstest.NewRecorder(t)
	scale(recorder)
	fmt.Print(recorder)
	// Output:
	// Normal Scaled (Scale) Deployment default/web x1: "from 1 to 3 replicas"
	// Warning ScaleFailed (Scale) Deployment default/web x3: "etcd is down"
}

// Code that takes the old recorder of client-go's tools/record gets it through legacy.AsLegacy.
func ExampleNewRecorder_legacy() {
	recorder := eventstest.NewRecorder(t)
	legacy.AsLegacy(recorder).Event(deployment, "Normal", "LeaderElection", "web-0 became leader")
	fmt.Print(recorder)
	// Output:
	// Normal LeaderElection (LeaderElection) Deployment default/web x1: "web-0 became leader"
}

// When nothing matches, the report has the nearest Events and the fields that differ.
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

// Waiting for what a goroutine records: each occurrence wakes the test, nothing is polled.
func ExampleRecorder_WaitFor() {
	recorder := eventstest.NewRecorder(t)
	go scale(recorder)

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := recorder.WaitFor(ctx, eventstest.Want{Reason: "ScaleFailed", MinCount: 3}); err != nil {
		t.Error(err)
	}
	fmt.Println("found")
	// Output: found
}

// Series have neither generated names nor times, so go-cmp compares them as they are.
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

// Events are whole: with their times, reporting controller, and whatever else an API server stores.
func ExampleRecorder_ByReason() {
	recorder := eventstest.NewRecorder(t, eventstest.WithReportingController("example.com/scaler"))
	scale(recorder)
	for _, event := range recorder.ByReason("Scaled") {
		fmt.Println(event.Namespace, event.ReportingController, event.ReportingInstance, event.EventTime.IsZero())
	}
	// Output: default example.com/scaler example.com/scaler-0 false
}

// A series keeps its first note; the notes of all calls are in Occurrences.
func ExampleRecorder_Occurrences() {
	recorder := eventstest.NewRecorder(t)
	for attempt := range 2 {
		recorder.Eventf(deployment, nil, "Warning", "ScaleFailed", "Scale", "attempt %d", attempt+1)
	}
	fmt.Print(recorder)
	for _, occurrence := range recorder.Occurrences() {
		fmt.Println(occurrence.Note)
	}
	// Output:
	// Warning ScaleFailed (Scale) Deployment default/web x2: "attempt 1"
	// attempt 1
	// attempt 2
}

// What cannot be an Event is in Drops.
func ExampleRecorder_Drops() {
	recorder := eventstest.NewRecorder(t)
	recorder.Eventf(nil, nil, "Normal", "Scaled", "Scale", "of what?")
	for _, drop := range recorder.Drops() {
		fmt.Println(drop.Reason, drop.EventReason)
	}
	// Output: Invalid Scaled
}

// An API server refuses an Event without an action. The SDK repairs it in production; a strict test finds out.
func ExampleWithStrict() {
	recorder := eventstest.NewRecorder(t, events.WithStrict())
	recorder.Eventf(deployment, nil, "Normal", "Scaled", "", "from 1 to 3 replicas")
	// Output:
	// eventstest: not recorded, Invalid: Normal Scaled regarding Deployment default/web: it needs repairs, which WithStrict forbids: [ActionEmpty]
}
