// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recordevents_test

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/eventseries/eventseries/clientgo/recordevents"
	"github.com/eventseries/eventseries/events/eventstest"
)

var pod = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"}}

// The kubelet makes its recorder before it has a client. The code is the same as with client-go,
// except that NewBroadcaster and WithContext come from this package and not from tools/record.
func ExampleNewBroadcaster() {
	ctx, client := context.Background(), eventstest.NewClientset()
	broadcaster := recordevents.NewBroadcaster(recordevents.WithContext(ctx))
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "kubelet", Host: "node-7"})
	broadcaster.StartStructuredLogging(3)

	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	for range 3 {
		recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "to %d replicas", 3)
	}
	broadcaster.Shutdown()

	fmt.Println(eventstest.SeriesOf(client.Events()...)[0])
	// Output: Normal Scaled (Scale) Pod default/web x3: "to 3 replicas"
}
