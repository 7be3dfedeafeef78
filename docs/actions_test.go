// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/events/eventstest"
)

// The calls of docs/actions.md are what the API server accepts.
func Example_actions() {
	set := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"}}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web-1", UID: "2"}}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "worker", UID: "3"}}
	err := errors.New("quota")
	recorder := eventstest.NewRecorder(t, eventstest.Strict())

	recorder.Eventf(set, pod, "Normal", "SuccessfulCreate", "Create", "Created pod %s", pod.Name)
	recorder.Eventf(set, nil, "Warning", "FailedCreate", "Create", "Cannot create a pod: %v", err)
	recorder.Eventf(pod, node, "Warning", "DrainEviction", "Evict", "Node %s is drained", node.Name)
	recorder.Eventf(node, nil, "Warning", "NodeHasDiskPressure", "UpdateStatus", "Free: %d MiB", 12)

	fmt.Print(recorder)
	// Output:
	// Normal SuccessfulCreate (Create) ReplicaSet default/web with Pod default/web-1 x1: "Created pod web-1"
	// Warning FailedCreate (Create) ReplicaSet default/web x1: "Cannot create a pod: quota"
	// Warning DrainEviction (Evict) Pod default/web-1 with Node worker x1: "Node worker is drained"
	// Warning NodeHasDiskPressure (UpdateStatus) Node worker x1: "Free: 12 MiB"
}

// Occurrences with the same reason and different actions are different Events.
func Example_actionsSeparate() {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web-1", UID: "2"}}
	recorder := eventstest.NewRecorder(t, eventstest.Strict())

	recorder.Eventf(pod, nil, "Warning", "Failed", "Pull", "no image web:2")
	recorder.Eventf(pod, nil, "Warning", "Failed", "Create", "no ConfigMap web")
	recorder.Eventf(pod, nil, "Warning", "Failed", "Create", "no ConfigMap web")

	fmt.Print(recorder)
	// Output:
	// Warning Failed (Pull) Pod default/web-1 x1: "no image web:2"
	// Warning Failed (Create) Pod default/web-1 x2: "no ConfigMap web"
}
