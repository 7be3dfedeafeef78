// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// A watcher is told of every occurrence, in a goroutine of its own, and of nothing that was counted or coalesced.
func ExampleBroadcaster_StartEventWatcher() {
	broadcaster, recorder := exampleBroadcaster(eventstest.NewSink())
	stop, err := broadcaster.StartEventWatcher(func(object runtime.Object) {
		event := object.(*eventsv1.Event)
		fmt.Println(event.Reason, event.Note)
	})
	if err != nil {
		log.Fatal(err)
	}
	defer stop()

	for attempt := range 3 {
		recorder.Eventf(examplePod, nil, corev1.EventTypeWarning, "BackOff", "Pulling", "attempt %d", attempt)
	}
	broadcaster.Shutdown() // waits for the watcher
	// Output:
	// BackOff attempt 0
	// BackOff attempt 1
	// BackOff attempt 2
}

// Events in the component's log as well, a line for each occurrence.
func ExampleBroadcaster_StartLogging() {
	var lines strings.Builder
	logger := textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(&lines)))

	broadcaster, recorder := exampleBroadcaster(eventstest.NewSink())
	if _, err := broadcaster.StartLogging(logger); err != nil {
		log.Fatal(err)
	}
	recorder.Eventf(examplePod, nil, corev1.EventTypeNormal, "Pulled", "Pulling", "image is present")
	broadcaster.Shutdown()

	_, line, _ := strings.Cut(lines.String(), "] ") // without time and source
	about, what, _ := strings.Cut(line, " type")
	fmt.Print(about, "\ntype", what)
	// Output:
	// "Event occurred" object="default/web" kind="Pod" apiVersion="v1"
	// type="Normal" reason="Pulled" action="Pulling" note="image is present"
}

// The names of client-go's tools/events are here, too: from there, the import changes and nothing else.
func ExampleBroadcaster_StartRecordingToSinkWithContext() {
	client := eventstest.NewClientset()
	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: client.EventsV1()})
	if err := broadcaster.StartRecordingToSinkWithContext(context.Background()); err != nil {
		log.Fatal(err)
	}
	recorder := broadcaster.NewRecorder(scheme.Scheme, "my-controller")
	recorder.Eventf(examplePod, nil, corev1.EventTypeNormal, "Pulled", "Pulling", "image is present")
	broadcaster.Shutdown()
	fmt.Println(eventstest.SeriesOf(client.Events()...)[0])
	// Output: Normal Pulled (Pulling) Pod default/web x1: "image is present"
}

// Start returns everything that options got wrong, at once. Its context ends the broadcaster.
func ExampleBroadcaster_Start() {
	sink := eventstest.NewSink()
	broadcaster := events.NewBroadcaster(sink, events.WithLogger(klog.Background()))
	ctx, cancel := context.WithCancel(context.Background())
	if err := broadcaster.Start(ctx); err != nil {
		log.Fatal(err)
	}
	recorder := broadcaster.NewRecorder(nil, "example.com/my-controller")
	pod := &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: "web"}
	recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Pulled", "Pulling", "image is present")

	cancel()               // what is pending is written
	broadcaster.Shutdown() // and awaited
	show(sink)
	// Output: Normal Pulled: image is present (x1)
}
