// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy_test

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/fake"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	clientevents "k8s.io/client-go/tools/events"

	record "github.com/eventseries/eventseries/legacy" // the one line that changes
)

var node = &corev1.ObjectReference{Kind: "Node", APIVersion: "v1", Name: "node-1"}

func ExampleNewBroadcaster() {
	client := fake.NewSimpleClientset()
	broadcaster := record.NewBroadcaster()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	recorder := broadcaster.NewRecorder(nil, corev1.EventSource{Component: "kubelet"})

	recorder.Event(node, corev1.EventTypeNormal, "Starting", "Starting kubelet.")

	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := broadcaster.Drain(ctx); err != nil {
		fmt.Println(err)
	}
	fmt.Println("recorded:", broadcaster.Stats().Recorded)
	// Output: recorded: 1
}

func ExampleBroadcaster_NewEventsRecorder() {
	broadcaster := record.NewBroadcaster()
	broadcaster.StartLogging(func(format string, args ...any) { fmt.Println(args[2], args[3]) })
	recorder := broadcaster.NewEventsRecorder(nil, corev1.EventSource{Component: "kubelet"})

	recorder.Eventf(node, nil, corev1.EventTypeWarning, "DiskPressure", "Evicting", "%d pods evicted", 3)

	broadcaster.Shutdown()
	// Output: DiskPressure 3 pods evicted
}

func ExampleAsLegacy() {
	events := clientevents.NewFakeRecorder(1)
	recorder := record.AsLegacy(events) // for resourcelock.ResourceLockConfig, for instance

	recorder.Eventf(node, corev1.EventTypeNormal, "LeaderElection", "%s became leader", "node-1")

	fmt.Println(<-events.Events)
	// Output: Normal LeaderElection node-1 became leader
}

func ExampleFromLegacy() {
	old := record.NewFakeRecorder(1)
	recorder := record.FromLegacy(old)

	recorder.Eventf(node, nil, corev1.EventTypeNormal, "Starting", "Start", "Starting %s.", "kubelet")

	fmt.Println(<-old.Events)
	// Output: Normal Starting Starting kubelet.
}
