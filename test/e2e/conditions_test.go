// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/conditions"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

// A Service's conditions change on the server, and each transition is an Event: as long as the service is not ready,
// and once it is. What changes in the message only is none.
func TestConditionsOfAnObject(t *testing.T) {
	inBoth(t, func(t *testing.T, env *harness.Env, r *rig) {
		ctx, services := t.Context(), env.Admin.CoreV1().Services(env.Namespace)
		_, err := services.Create(ctx, &corev1.Service{
			ObjectMeta: metav1.ObjectMeta{Name: "web"},
			Spec:       corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 80}}},
		}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, ready := range []metav1.Condition{
			{Status: metav1.ConditionUnknown, Reason: "Probing", Message: "0 of 2"},
			{Status: metav1.ConditionUnknown, Reason: "Probing", Message: "1 of 2"},
			{Status: metav1.ConditionFalse, Reason: "NoAnswer", Message: "100% lost"},
			{Status: metav1.ConditionUnknown, Reason: "Probing", Message: "0 of 2"},
			{Status: metav1.ConditionTrue, Reason: "Answered", Message: ""},
		} {
			web, err := services.Get(ctx, "web", metav1.GetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			before := slices.Clone(web.Status.Conditions)
			ready.Type = "example.com/Ready"
			meta.SetStatusCondition(&web.Status.Conditions, ready)
			if web, err = services.UpdateStatus(ctx, web, metav1.UpdateOptions{}); err != nil {
				t.Fatal(err)
			}
			conditions.Record(r, web, before, web.Status.Conditions)
		}
		r.drainAll(4)
		var got []string
		for _, s := range eventstest.SeriesOf(env.Events(env.Namespace)...) {
			s.Regarding.Namespace = ""
			got = append(got, s.String())
		}
		slices.Sort(got)
		want := []string{
			`Normal Answered (example.com/SetReadyTrue) Service web x1: "Ready is True"`,
			`Normal Probing (example.com/SetReadyUnknown) Service web x2: "0 of 2"`,
			`Warning NoAnswer (example.com/SetReadyFalse) Service web x1: "100% lost"`,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Events (-want +got):\n%s", diff)
		}
	})
}
