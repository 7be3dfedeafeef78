// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/sinks"
)

// The page shows what is between the two lines of dashes.
func Example_whatToSendWhere() {
	clientset, stdout := eventstest.NewClientset(), &bytes.Buffer{}
	client := clientset.EventsV1()
	// ---
	warnings := func(event *eventsv1.Event) bool { return event.Type == corev1.EventTypeWarning }
	sink := sinks.Tee(
		sinks.Filter(sinks.EventsV1(client), warnings), // for kubectl describe
		sinks.JSONLines(stdout),                        // everything, for the log pipeline
	)
	broadcaster := events.NewBroadcaster(sink)
	// ---
	if err := broadcaster.Start(context.Background()); err != nil {
		fmt.Println(err)
	}
	recorder := broadcaster.NewRecorder(nil, "example.com/my-controller")
	pod := &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: "web"}
	recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "up")
	recorder.Eventf(pod, nil, corev1.EventTypeWarning, "Failed", "Scale", "no quota")
	broadcaster.Shutdown()
	fmt.Println(bytes.Count(stdout.Bytes(), []byte("\n")), "lines,", len(clientset.Events()), "Event in the API server")
	// Output: 2 lines, 1 Event in the API server
}
