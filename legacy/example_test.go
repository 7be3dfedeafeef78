// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy_test

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/legacy"
	"github.com/eventseries/eventseries/sinks"
)

var node = &corev1.ObjectReference{Kind: "Node", APIVersion: "v1", Name: "node-1"}

// sink returns the sink of a component.
func sink(client kubernetes.Interface) record.EventSink {
	return &typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")}
}

// show prints the stored Events.
func show(client *eventstest.Clientset) {
	for _, s := range eventstest.SeriesOf(client.Events()...) {
		fmt.Printf("%s %s %s x%d: %s\n", s.Type, s.Reason, s.Regarding.Name, s.Count, s.Note)
	}
}

// Drain writes the queued Events, which client-go's Shutdown discards, and its error says how many
// it could not write.
func ExampleNewBroadcaster() {
	client := eventstest.NewClientset()
	broadcaster := legacy.NewBroadcaster()
	broadcaster.StartRecordingToSink(sink(client))
	recorder := broadcaster.Recorder(nil, corev1.EventSource{Component: "kubelet"})

	for range 5 {
		recorder.Event(node, corev1.EventTypeNormal, "Starting", "Starting kubelet.")
	}

	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := broadcaster.Drain(ctx); err != nil {
		fmt.Println(err)
	}
	show(client)
	// Output: Normal Starting node-1 x5: Starting kubelet.
}

// The spam filter of client-go can be configured. The occurrences that it suppresses are counted.
func ExampleWithCorrelatorOptions() {
	client := eventstest.NewClientset()
	broadcaster := legacy.NewBroadcaster(legacy.WithCorrelatorOptions(record.CorrelatorOptions{BurstSize: 3}))
	broadcaster.StartRecordingToSink(sink(client))
	recorder := broadcaster.Recorder(nil, corev1.EventSource{Component: "kubelet"})
	for range 5 {
		recorder.Event(node, corev1.EventTypeNormal, "Starting", "Starting kubelet.")
	}
	broadcaster.Shutdown()
	show(client)
	fmt.Println("suppressed:", broadcaster.Stats().Dropped[events.DropSpamFilter])
	// Output:
	// Normal Starting node-1 x3: Starting kubelet.
	// suppressed: 2
}

// Events that a component records after its context has ended, and before it shuts down, are
// written.
func ExampleWithContext() {
	client := eventstest.NewClientset()
	ctx, cancel := context.WithCancel(context.Background())
	broadcaster := legacy.NewBroadcaster(legacy.WithContext(ctx))
	broadcaster.StartRecordingToSink(sink(client))
	recorder := broadcaster.Recorder(nil, corev1.EventSource{Component: "kubelet"})

	cancel() // in a component: a signal
	<-ctx.Done()
	recorder.Event(node, corev1.EventTypeNormal, "Stopping", "Stopping kubelet.")
	broadcaster.Shutdown()
	show(client)
	// Output: Normal Stopping node-1 x1: Stopping kubelet.
}

// A watcher gets each occurrence as it is recorded, before the correlator. It needs no sink.
func ExampleBroadcaster_StartEventWatcher() {
	broadcaster := legacy.NewBroadcaster()
	watch := broadcaster.StartEventWatcher(func(e *corev1.Event) { fmt.Println(e.Reason, e.Message) })
	defer watch.Stop()
	recorder := broadcaster.Recorder(nil, corev1.EventSource{Component: "kubelet"})
	for _, name := range []string{"web", "db"} {
		recorder.Eventf(node, corev1.EventTypeNormal, "Evicted", "pod %s", name)
	}
	broadcaster.Shutdown() // waits for the watcher
	// Output:
	// Evicted pod web
	// Evicted pod db
}

// A broadcaster writes core/v1 Events for code that takes a recorder of the new interface.
func ExampleFromLegacy_broadcaster() {
	broadcaster := legacy.NewBroadcaster()
	broadcaster.StartLogging(func(format string, args ...any) { fmt.Println(args[2], args[3]) })
	recorder := legacy.FromLegacy(broadcaster.Recorder(nil, corev1.EventSource{Component: "kubelet"}))

	recorder.Eventf(node, nil, corev1.EventTypeWarning, "DiskPressure", "Evicting", "%d pods evicted", 3)

	broadcaster.Shutdown()
	// Output: DiskPressure 3 pods evicted
}

// Leader election of client-go takes only a recorder of the old interface.
func ExampleAsLegacy() {
	client := eventstest.NewClientset()
	broadcaster := events.NewBroadcaster(sinks.EventsV1(client.EventsV1()))
	recorder := broadcaster.Recorder(nil, "example.com/my-controller")

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

// Code that got a recorder of the old interface can make the calls of the new one. An old recorder
// cannot take the action and the related object, so they are left out.
func ExampleFromLegacy() {
	old := record.NewFakeRecorder(1)
	recorder := legacy.FromLegacy(old)

	recorder.Eventf(node, nil, corev1.EventTypeNormal, "Starting", "Start", "Starting %s.", "kubelet")

	fmt.Println(<-old.Events)
	// Output: Normal Starting Starting kubelet.
}
