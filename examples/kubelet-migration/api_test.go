// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func TestReadCountsTheEventsOfOneNode(t *testing.T) {
	about := func(uid types.UID) corev1.ObjectReference {
		return corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web", UID: uid}
	}
	node := corev1.ObjectReference{Kind: "Node", Name: "node-1", UID: "node-1"}
	events := []corev1.Event{
		{InvolvedObject: about("node-1/web"), Count: 7},
		{InvolvedObject: about("node-1/web")}, // a single one need not have a count
		{InvolvedObject: about("node-1/web"), Series: &corev1.EventSeries{Count: 5}, Related: &node},
		{InvolvedObject: node},
		{InvolvedObject: about("node-10/web"), Count: 100},
	}
	a := memoryAPI()
	for i := range events {
		event := &events[i]
		event.Namespace, event.Name = "default", string(rune('a'+i))
		if _, err := a.client.CoreV1().Events("default").Create(t.Context(), event, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := a.read(context.Background(), "node-1", "default")
	if want := (stored{objects: 4, counts: 14, related: 1}); err != nil || got != want {
		t.Errorf("read = %+v, %v, want %+v", got, err, want)
	}
	if got := a.writes(); got != int64(len(events)) {
		t.Errorf("writes = %d, want %d", got, len(events))
	}
}
