// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package realapi

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// What happens to every pod: a scheduler's most frequent event.
const (
	controller = "example.com/scheduler"
	instance   = "example.com/scheduler-0"
	reason     = "FailedScheduling"
	action     = "Scheduling"
	note       = "0/5000 nodes are available: 3000 Insufficient cpu, 2000 node(s) had untolerated taints"
)

// pods are as informers hold them, without kind and apiVersion. They take turns in
// the namespaces.
func pods(namespaces []string, n int) []*corev1.Pod {
	all := make([]*corev1.Pod, n)
	for i := range all {
		all[i] = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
			Namespace: namespaces[i%len(namespaces)], Name: fmt.Sprintf("web-7d4b9c6f5d-%05d", i),
			UID:             types.UID(fmt.Sprintf("3f2b8c1e-5a77-4c1d-9b0a-%012d", i)),
			ResourceVersion: fmt.Sprint(100000 + i),
		}}
	}
	return all
}

// event is what a recorder makes of it.
func event(pod *corev1.Pod, at time.Time) *eventsv1.Event {
	return &eventsv1.Event{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: pod.Namespace, Name: fmt.Sprintf("%s.%016x", pod.Name, at.UnixNano()),
		},
		EventTime:           metav1.NewMicroTime(at),
		ReportingController: controller,
		ReportingInstance:   instance,
		Reason:              reason,
		Action:              action,
		Note:                note,
		Type:                corev1.EventTypeWarning,
		Regarding: corev1.ObjectReference{
			APIVersion: "v1", Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID,
			ResourceVersion: pod.ResourceVersion,
		},
	}
}
