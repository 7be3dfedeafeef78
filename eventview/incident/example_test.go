// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package incident_test

import (
	"fmt"
	"log"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/eventview"
	"github.com/eventseries/eventseries/eventview/incident"
)

// pull is a failed pull of one pod.
func pull(pod string, at time.Time) eventview.Event {
	return eventview.Event{
		Namespace:  "shop",
		Name:       pod + "." + at.Format("150405"),
		Type:       corev1.EventTypeWarning,
		Reason:     "Failed",
		Note:       `Failed to pull image "` + pod[:3] + `": 429 Too Many Requests`,
		Controller: "kubelet",
		Regarding:  corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: pod},
		Count:      1,
		First:      at,
		Last:       at,
	}
}

// A registry that refuses the pulls of many pods is one incident.
func Example() {
	start := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	tracker := incident.New()
	for second, pod := range []string{"web-7d4b9c6f5x-x2xqz", "web-7d4b9c6f5x-p9k4d", "api-6c8f7d9b4z-8rvqk"} {
		event := pull(pod, start.Add(time.Duration(second)*time.Second))
		tracker.Observe(&event)
	}
	for _, minutes := range []time.Duration{1, 20} {
		for _, i := range tracker.Tick(start.Add(minutes * time.Minute)) {
			fmt.Printf("%s: %s of %d objects since %s, first %v: %s\n", i.State, i.Reason, i.Objects,
				i.First.Format(time.TimeOnly), i.FirstObject, i.Note)
		}
	}
	// Output:
	// open: Failed of 3 objects since 10:00:00, first shop/Pod/web-7d4b9c6f5x-x2xqz: Failed to pull image "web": 429 Too Many Requests
	// over: Failed of 3 objects since 10:00:00, first shop/Pod/web-7d4b9c6f5x-x2xqz: Failed to pull image "web": 429 Too Many Requests
}

// After a restart, an incident is not reported again.
func ExampleTracker_MarshalBinary() {
	start := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	tracker := incident.New()
	event := pull("web-7d4b9c6f5x-x2xqz", start)
	tracker.Observe(&event)
	fmt.Println(len(tracker.Tick(start.Add(time.Minute))), "before the restart")

	checkpoint, err := tracker.MarshalBinary()
	if err != nil {
		log.Fatal(err)
	}
	tracker = incident.New()
	if err := tracker.UnmarshalBinary(checkpoint); err != nil {
		log.Fatal(err)
	}
	tracker.Observe(&event)
	fmt.Println(len(tracker.Tick(start.Add(2*time.Minute))), "after the restart")
	// Output:
	// 1 before the restart
	// 0 after the restart
}

// A program that starts without a checkpoint passes the Events of its list in the order in which
// they began, so that it finds the incidents that another replica has found.
func ExampleCompare() {
	start := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	events := []eventview.Event{
		pull("web-7d4b9c6f5x-x2xqz", start.Add(time.Minute)),
		pull("api-6c8f7d9b4z-8rvqk", start),
	}
	slices.SortFunc(events, incident.Compare)
	fmt.Println(events[0].Regarding.Name)
	// Output: api-6c8f7d9b4z-8rvqk
}
