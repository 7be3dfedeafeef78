// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sinks_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/sinks"
)

// record records three occurrences through sink: one Normal, two Warnings.
func record(sink events.Sink) events.Stats {
	broadcaster := events.NewBroadcaster(sink)
	if err := broadcaster.Start(context.Background()); err != nil {
		fmt.Println(err)
	}
	recorder := broadcaster.Recorder(nil, "example.com/my-controller")
	pod := &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: "web"}
	recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "up")
	for range 2 {
		recorder.Eventf(pod, nil, corev1.EventTypeWarning, "Failed", "Scale", "no quota")
	}
	broadcaster.Shutdown()
	return broadcaster.Stats()
}

// Decorators combine sinks.
func Example() {
	clientset := eventstest.NewClientset() // in a component: kubernetes.NewForConfigOrDie(config)
	log := &bytes.Buffer{}                 // or os.Stdout

	warnings := func(event *eventsv1.Event) bool { return event.Type == corev1.EventTypeWarning }
	sink := sinks.Tee(
		sinks.EventsV1(clientset.EventsV1()),         // for kubectl describe
		sinks.Filter(sinks.JSONLines(log), warnings), // a copy, for the log pipeline
	)
	stats := record(sink)

	fmt.Println(stats.Recorded, "recorded as", len(clientset.Events()), "Events")
	fmt.Println("in the log:", strings.Contains(log.String(), "Failed"), strings.Contains(log.String(), "Scaled"))
	// Output:
	// 3 recorded as 2 Events
	// in the log: true false
}

// CoreV1 writes the same objects if the cluster or its RBAC has only core/v1.
func ExampleCoreV1() {
	clientset := eventstest.NewClientset()
	sink := sinks.CoreV1(clientset.CoreV1())
	record(sink)
	fmt.Println(len(clientset.Events()), "events,", clientset.Writes().EventsV1.Creates, "through events.k8s.io/v1")
	// Output: 2 events, 0 through events.k8s.io/v1
}

func ExampleJSONLines() {
	var out bytes.Buffer // or a file, or os.Stdout
	record(sinks.JSONLines(&out))

	latest := map[string]int32{}
	for lines := json.NewDecoder(&out); lines.More(); {
		var event eventsv1.Event
		if err := lines.Decode(&event); err != nil {
			fmt.Println(err)
			return
		}
		latest[event.Reason] = 1
		if event.Series != nil {
			latest[event.Reason] = event.Series.Count
		}
	}
	fmt.Println(latest)
	// Output: map[Failed:2 Scaled:1]
}

// A Filter can keep only Warnings.
func ExampleFilter() {
	client := eventstest.NewClientset()
	stats := record(sinks.Filter(sinks.EventsV1(client.EventsV1()), func(e *eventsv1.Event) bool {
		return e.Type == corev1.EventTypeWarning
	}))
	fmt.Println(stats.Recorded, "recorded,", stats.Dropped[events.DropFiltered], "filtered")
	// Output: 2 recorded, 1 filtered
}

// A component can run without an API server.
func ExampleJSONLines_discard() {
	fmt.Println(record(sinks.JSONLines(io.Discard)).Recorded, "recorded")
	// Output: 3 recorded
}
