// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/sinks"
)

// mount is a component of one event: the usage of the package.
func mount(ctx context.Context, client kubernetes.Interface, pod *corev1.Pod, took time.Duration) error {
	volume := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: "disk-1"}}

	broadcaster := events.NewBroadcaster(sinks.EventsV1(client.EventsV1()))
	if err := broadcaster.Start(ctx); err != nil {
		return err // every option that makes no sense
	}
	defer broadcaster.Shutdown()
	recorder := broadcaster.NewRecorder(scheme.Scheme, "example.com/my-controller")
	recorder.Eventf(pod, volume, corev1.EventTypeWarning, "FailedMount", "Mounting", "after %v", took)
	return nil
}

// A component of one event, from its client to its end.
func Example() {
	client := eventstest.NewClientset() // in a component: kubernetes.NewForConfigOrDie(config)
	if err := mount(context.Background(), client, examplePod, 3*time.Second); err != nil {
		fmt.Println(err)
	}
	for _, s := range eventstest.SeriesOf(client.Events()...) {
		fmt.Println(s)
	}
	// Output:
	// Warning FailedMount (Mounting) Pod default/web with PersistentVolume disk-1 x1: "after 3s"
}

// Code that holds the interface, which has no such method, records annotations by the function. A recorder that takes
// none records the same without.
func ExampleAnnotatedEventf() {
	sink := eventstest.NewSink()
	broadcaster, recorder := exampleBroadcaster(sink)
	var held events.EventRecorder = recorder

	events.AnnotatedEventf(held, examplePod, nil, map[string]string{"example.com/node": "n1"},
		corev1.EventTypeNormal, "Evicted", "Evicting", "moving on")
	broadcaster.Shutdown()
	fmt.Println(sink.Events()[0].Annotations)
	// Output: map[example.com/node:n1]
}

// The recorders of this SDK have the method that client-go's got in v0.37.
func ExampleAnnotatedEventRecorder() {
	broadcaster, recorder := exampleBroadcaster(eventstest.NewSink())
	defer broadcaster.Shutdown()
	var held events.EventRecorder = recorder
	_, ok := held.(events.AnnotatedEventRecorder)
	fmt.Println(ok)
	// Output: true
}

// A Job of a few seconds: options and errors are those of Start, which it does not need.
func ExampleOption() {
	broadcaster := events.NewBroadcaster(eventstest.NewSink(), events.WithMaxInFlight(-1), events.WithMaxSeries(-1))
	fmt.Println(broadcaster.Flush(context.Background()))
	// Output:
	// events: WithMaxInFlight(-1), want more than 0, or 0 for the default 64
	// events: WithMaxSeries(-1), want more than 0, or 0 for the default 65536
}
