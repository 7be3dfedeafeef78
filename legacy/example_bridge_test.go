// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy_test

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/legacy"
	"github.com/eventseries/eventseries/sinks"
)

// Leader election of client-go takes the old recorder only.
func ExampleAsLegacy() {
	client := eventstest.NewClientset()
	broadcaster := events.NewBroadcaster(sinks.EventsV1(client.EventsV1()))
	recorder := broadcaster.NewRecorder(nil, "example.com/my-controller")

	lock := &resourcelock.LeaseLock{Client: client.CoordinationV1()}
	lock.LeaseMeta = metav1.ObjectMeta{Namespace: "default", Name: "my-controller"}
	lock.LockConfig.Identity = "my-controller-0"
	lock.LockConfig.EventRecorder = legacy.AsLegacy(recorder)

	ctx := context.Background()
	if err := lock.Create(ctx, resourcelock.LeaderElectionRecord{}); err != nil {
		fmt.Println(err)
	}
	lock.RecordEvent("became leader") // what client-go's LeaderElector does
	if err := broadcaster.Flush(ctx); err != nil {
		fmt.Println(err)
	}
	show(client)
	// Output: Normal LeaderElection my-controller x1: my-controller-0 became leader
}

// A library that was evicted an old recorder, and records with the new calls. An old recorder has no place for the action
// and the related object.
func ExampleFromLegacy() {
	old := legacy.NewFakeRecorder(1)
	recorder := legacy.FromLegacy(old)

	recorder.Eventf(node, nil, corev1.EventTypeNormal, "Starting", "Start", "Starting %s.", "kubelet")

	fmt.Println(<-old.Events)
	// Output: Normal Starting Starting kubelet.
}

// The name that FromLegacy has in client-go.
func ExampleNewEventRecorderAdapter() {
	old := legacy.NewFakeRecorder(1)
	recorder := legacy.NewEventRecorderAdapter(old)

	recorder.Eventf(node, nil, corev1.EventTypeNormal, "Starting", "Start", "Starting %s.", "kubelet")

	fmt.Println(<-old.Events)
	// Output: Normal Starting Starting kubelet.
}
