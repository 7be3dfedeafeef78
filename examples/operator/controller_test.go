// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/eventseries/eventseries/events/eventstest"
)

// Three failures are one Event with the count 3.
func TestReconcileWarnsAboutMissingService(t *testing.T) {
	route := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"},
		Data:       map[string]string{"service": "shop"},
	}
	recorder := eventstest.NewRecorder(t, eventstest.Strict())
	reconciler := &Reconciler{Client: fake.NewFakeClient(route), Recorder: recorder}
	request := ctrl.Request{NamespacedName: client.ObjectKeyFromObject(route)}
	for range 3 {
		if _, err := reconciler.Reconcile(t.Context(), request); err == nil {
			t.Error("Reconcile returned no error, so it would not be called again")
		}
	}
	want := eventstest.Want{Type: "Warning", Reason: "NoService", Regarding: route, Count: 3}
	if err := recorder.Check(eventstest.Only{want}); err != nil {
		t.Error(err)
	}
}

// The RBAC in config lets the ServiceAccount record Events.
func TestRBAC(t *testing.T) {
	eventstest.VerifyRBAC(t, os.DirFS("config"), eventstest.BoundTo("my-system", "my-controller"))
}
