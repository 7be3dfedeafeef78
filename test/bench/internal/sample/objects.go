// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sample

import (
	"fmt"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clientevents "k8s.io/client-go/tools/events"
)

// newPod is a pod as an informer hands it out: without its kind.
func newPod(i int) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace:       fmt.Sprintf("team-%d", i%100),
		Name:            fmt.Sprintf("web-7d4b9c6f5d-%05x", i),
		UID:             types.UID(fmt.Sprintf("6f1c2e0a-9a51-4c8e-b7b4-%012x", i)),
		ResourceVersion: fmt.Sprint(1000000 + i),
	}}
}

func newPods(n int) []*corev1.Pod {
	pods := make([]*corev1.Pod, n)
	for i := range pods {
		pods[i] = newPod(i)
	}
	return pods
}

// fail is what a scheduler says of a pod, without anything to format.
func fail(r clientevents.EventRecorder, pod *corev1.Pod) {
	r.Eventf(pod, nil, corev1.EventTypeWarning, "FailedScheduling", "Scheduling",
		"0 of 5000 nodes are available: 5000 Insufficient memory. Preemption is not helpful for scheduling.")
}

// failWith is the same with something to format.
func failWith(r clientevents.EventRecorder, pod *corev1.Pod, attempt int, node *nodeName) {
	r.Eventf(pod, nil, corev1.EventTypeWarning, "FailedScheduling", "Scheduling",
		"attempt %d: %d of %d nodes are available, nominated %v: Insufficient memory", attempt, 0, 5000, node)
}

// nodeName knows how often somebody has looked.
type nodeName struct {
	name  string
	asked atomic.Int64
}

func (n *nodeName) String() string {
	n.asked.Add(1)
	return n.name
}
