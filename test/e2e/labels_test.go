// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

// kubectl selects Events by their labels, whichever API they were written through. If another
// client changes the labels, the change stays when the series goes on.
func TestLabelsSelect(t *testing.T) {
	for _, mode := range []adapter.Mode{adapter.ModeEventsV1, adapter.ModeCoreV1, adapter.ModeLegacy} {
		t.Run(string(mode), func(t *testing.T) {
			env := harness.New(t, shared)
			env.Allow(env.Namespace, harness.EventsV1, harness.CoreV1)
			r := newRig(t, env, adapter.WithMode(mode), events.WithLabels(map[string]string{"app": "shop", "team": "blue"}))
			red := r.Adapter.Recorder(controller).WithLabels(map[string]string{"team": "red", "not one": "x"})
			pod := env.NewPod(env.Namespace, "web")
			record := func() {
				r.Eventf(pod, nil, corev1.EventTypeNormal, "Started", "Start", "the shop")
				red.Eventf(pod, nil, corev1.EventTypeNormal, "Saved", "Save", "the shop")
				r.flush()
			}
			record()
			for selector, want := range map[string]string{
				"app=shop": "Saved Started", "team=red": "Saved", "app=shop,team!=red": "Started", "app=other": "",
			} {
				if diff := cmp.Diff(want, selected(env, selector)); diff != "" {
					t.Errorf("-l %s (-want +got):\n%s", selector, diff)
				}
			}
			patch := []byte(`{"metadata":{"labels":{"team":null,"seen":"yes"}}}`)
			for _, e := range env.Events(env.Namespace) {
				_, err := env.Admin.EventsV1().Events(env.Namespace).Patch(t.Context(), e.Name, "application/merge-patch+json",
					patch, metav1.PatchOptions{})
				if err != nil {
					t.Fatal(err)
				}
			}
			record()
			if got := selected(env, "seen=yes,!team,app=shop"); got != "Saved Started" {
				t.Errorf("after a change by others and a repeat %q are selected", got)
			}
			r.drainAll(4)
		})
	}
}

// selected returns the reasons of the Events that match a selector.
func selected(env *harness.Env, selector string) string {
	reasons := strings.Fields(env.Kubectl("get", "events", "-n", env.Namespace, "-l", selector, "-o", "jsonpath={.items[*].reason}"))
	slices.Sort(reasons)
	return strings.Join(reasons, " ")
}
