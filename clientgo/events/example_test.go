// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/clientgo/events" // the one line that changes
	"github.com/eventseries/eventseries/events/eventstest"
)

var pod = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"}}

// A component with a stop channel, as kube-scheduler is. The channel need never be closed.
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
