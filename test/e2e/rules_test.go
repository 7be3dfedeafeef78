// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/internal/eventconv"
	"github.com/eventseries/eventseries/internal/testkit/rules"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

// A server refuses what the table of internal/testkit/rules says. test/compat/run.sh asks a server of each minor.
func TestRules(t *testing.T) {
	env := harness.New(t, shared)
	core, events := env.Admin.CoreV1().Events(env.Namespace), env.Admin.EventsV1().Events(env.Namespace)
	valid := rules.Valid(env.Namespace)
	if _, err := core.Create(t.Context(), valid, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	all := []string{metav1.DryRunAll} // nothing is stored
	for _, request := range rules.Requests {
		ask := func(event *corev1.Event) (err error) {
			switch request {
			case rules.CreateCore:
				_, err = core.Create(t.Context(), event, metav1.CreateOptions{DryRun: all})
			case rules.UpdateCore:
				_, err = core.Update(t.Context(), event, metav1.UpdateOptions{DryRun: all})
			case rules.CreateEvents:
				_, err = events.Create(t.Context(), eventconv.FromCore(event), metav1.CreateOptions{DryRun: all})
			case rules.UpdateEvents:
				_, err = events.Update(t.Context(), eventconv.FromCore(event), metav1.UpdateOptions{DryRun: all})
			}
			return err
		}
		another := valid.DeepCopy()
		if request.IsCreate() {
			another.Name = "web.2"
		}
		if err := ask(another); err != nil {
			t.Errorf("%v: a valid Event is refused: %v", request, err)
		}
		for _, rule := range rules.Table {
			err := ask(rule.Broken(another, request))
			if got, want := rule.IsBroken(err), slices.Contains(rule.Through, request); got != want {
				t.Errorf("%v: %s, %s: refused %v, want %v: %v", request, rule.Name, rule.Says, got, want, err)
			}
		}
	}
}
