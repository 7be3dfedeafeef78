// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func pressure(status corev1.ConditionStatus) corev1.NodeCondition {
	return corev1.NodeCondition{Type: corev1.NodeDiskPressure, Status: status, Message: "5% of the disk is free"}
}

// expectEvents checks what is in the channel, and that there is no more.
func expectEvents(t *testing.T, recorder *record.FakeRecorder, want ...string) {
	t.Helper()
	for _, w := range want {
		select {
		case got := <-recorder.Events:
			if got != w {
				t.Errorf("got %q, want %q", got, w)
			}
		default:
			t.Errorf("no event, want %q", w)
		}
	}
	if n := len(recorder.Events); n > 0 {
		t.Errorf("%d more events", n)
	}
}

func TestNodePressure(t *testing.T) {
	n := node("node-1", pressure(corev1.ConditionTrue))
	fakeRecorder := record.NewFakeRecorder(10)
	r := &NodeReconciler{Client: newFakeClient(t, n), EventRecorder: fakeRecorder}
	for range 3 {
		if _, err := r.Reconcile(t.Context(), request(n)); err != nil {
			t.Fatal(err)
		}
	}
	expectEvents(t, fakeRecorder,
		fmt.Sprintf("%s %s %s", corev1.EventTypeWarning, "StorageDiskPressure",
			"Volumes are on a node under pressure: 5% of the disk is free"))

	if err := r.Get(t.Context(), client.ObjectKeyFromObject(n), n); err != nil {
		t.Fatal(err)
	}
	n.Spec.Unschedulable = true
	if err := r.Update(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	n.Status.Conditions = []corev1.NodeCondition{pressure(corev1.ConditionFalse)}
	if err := r.Status().Update(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Reconcile(t.Context(), request(n)); err != nil {
		t.Fatal(err)
	}
	expectEvents(t, fakeRecorder,
		"Normal StorageRelieved The node has recovered",
		"Normal StorageCordoned No volume is placed on a cordoned node")
}

// A node without ledgers is nobody's business here.
func TestNodeWithoutStorage(t *testing.T) {
	n := node("node-1", pressure(corev1.ConditionTrue))
	n.Labels = nil
	recorder := &record.FakeRecorder{}
	r := &NodeReconciler{Client: newFakeClient(t, n), EventRecorder: recorder}
	if _, err := r.Reconcile(t.Context(), request(n)); err != nil {
		t.Fatal(err)
	}
}
