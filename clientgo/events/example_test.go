// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/clientgo/events" // the one line that changes
	series "github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/sinks"
)

var pod = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"}}

// A component with a stop channel, such as kube-scheduler. The channel need never be closed.
func ExampleNewEventBroadcasterAdapter() {
	client := eventstest.NewClientset() // in a component: kubernetes.NewForConfigOrDie(config)
	broadcaster := events.NewEventBroadcasterAdapter(client)
	stop := make(chan struct{})
	broadcaster.StartRecordingToSink(stop)
	recorder := broadcaster.NewRecorder("default-scheduler")
	for range 3 {
		recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Scheduled", "Bind", "to node-1")
	}
	broadcaster.Shutdown()

	fmt.Println(eventstest.SeriesOf(client.Events()...)[0])
	// Output: Normal Scheduled (Bind) Pod default/web x3: "to node-1"
}

// The component keeps the adapter for its options and Stats, and passes client-go's interface on to
// other code. Leader election takes a recorder with the methods of tools/record.
func ExampleFromAdapter() {
	ctx, client := context.Background(), eventstest.NewClientset()
	a := adapter.New(ctx, client, series.WithMaxSeries(1000))
	if err := a.Start(ctx); err != nil {
		fmt.Println(err) // an option is invalid
	}

	broadcaster := events.FromAdapter(a)
	broadcaster.NewRecorder("default-scheduler").Eventf(pod, nil, corev1.EventTypeNormal, "Scheduled", "Bind", "to node-1")
	broadcaster.DeprecatedNewLegacyRecorder("default-scheduler").Event(pod, corev1.EventTypeNormal, "LeaderElection", "won")
	broadcaster.Shutdown()

	fmt.Println("recorded:", a.Stats().Recorded)
	// Output: recorded: 2
}

// The component keeps the broadcaster, whose sink determines the API, and passes client-go's
// interface on to other code.
func ExampleFromBroadcaster() {
	ctx, client := context.Background(), eventstest.NewClientset()
	b := series.NewBroadcaster(sinks.EventsV1(client.EventsV1()))

	broadcaster := events.FromBroadcaster(b)
	if err := broadcaster.StartRecordingToSinkWithContext(ctx); err != nil {
		fmt.Println(err)
	}
	recorder := broadcaster.NewRecorder(scheme.Scheme, "example.com/my-controller")
	recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "to 3 replicas")
	broadcaster.Shutdown()

	fmt.Println("recorded:", b.Stats().Recorded)
	// Output: recorded: 1
}
