// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package record_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/eventseries/eventseries/clientgo/record" // the one line that changes
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/legacy"
)

var pod = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"}}

// scaleOnce is a component that records one Event, and is written as for client-go.
func scaleOnce(client kubernetes.Interface, pod *corev1.Pod) {
	broadcaster := record.NewBroadcaster()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	defer broadcaster.Shutdown()
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "my-controller"})
	recorder.Eventf(pod, corev1.EventTypeNormal, "Scaled", "to %d replicas", 3)
}

// A component that records one Event and ends.
func Example() {
	client := eventstest.NewClientset() // in a component: kubernetes.NewForConfigOrDie(config)
	scaleOnce(client, pod)
	for _, s := range eventstest.SeriesOf(client.Events()...) {
		fmt.Printf("%s %s %s x%d: %s\n", s.Type, s.Reason, s.Regarding.Name, s.Count, s.Note)
	}
	// Output: Normal Scaled web x1: to 3 replicas
}

// The component keeps the broadcaster for its Stats, and passes client-go's interface on to other
// code.
func ExampleFromBroadcaster() {
	client := eventstest.NewClientset() // in a component: kubernetes.NewForConfigOrDie(config)
	b := legacy.NewBroadcaster()
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})

	broadcaster := record.FromBroadcaster(b)
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "my-controller"})
	recorder.Event(pod, corev1.EventTypeNormal, "Scaled", "to 3 replicas")
	broadcaster.Shutdown()

	fmt.Println("recorded:", b.Stats().Recorded)
	// Output: recorded: 1
}
