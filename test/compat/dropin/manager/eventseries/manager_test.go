// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manager

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"

	record "github.com/eventseries/eventseries/legacy"
)

// The fake keeps a unit test as it was.
func TestReconcile(t *testing.T) {
	fake := record.NewFakeRecorder(4)
	reconciler := &Reconciler{Recorder: fake, Reconciled: func() { close(fake.Events) }}
	request := ctrl.Request{NamespacedName: types.NamespacedName{Namespace: "default", Name: "web"}}
	if _, err := reconciler.Reconcile(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"Normal Reconciled all is well",
		"Warning Unready 1 of 3 containers are not ready",
		"Warning Unready 1 of 3 containers are not ready",
		"Normal Scaled to 3 replicas", // and the annotations, in a form that depends on the version
	}
	for _, event := range want {
		if got := <-fake.Events; !strings.HasPrefix(got, event) {
			t.Errorf("recorded %q, want %q", got, event)
		}
	}
}
