// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package kwok

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/kwok/pkg/apis/internalversion"
	"sigs.k8s.io/kwok/pkg/config"
	"sigs.k8s.io/kwok/pkg/utils/gotpl"
	"sigs.k8s.io/kwok/pkg/utils/lifecycle"
)

// kwok reads the Stages, and does with a pod what a kubelet would do.
//
// Caught: an Event that is left out; a stage that matches a pod which is being deleted; a status that stays Pending,
// with which the pod would start again and again; BackOff of a pod without the label; a Stage of another resource.
func TestStages(t *testing.T) {
	deleted := metav1.NewTime(time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC))
	tests := []struct {
		name   string
		pod    corev1.Pod
		events []string
		phase  corev1.PodPhase // in the patch of the status
		gone   bool
	}{
		{
			name:   "a pod that is scheduled",
			pod:    corev1.Pod{Status: corev1.PodStatus{Phase: corev1.PodPending}},
			events: []string{"Normal Pulled", "Normal Created", "Normal Started"},
			phase:  corev1.PodRunning,
		},
		{name: "a pod that runs", pod: corev1.Pod{Status: corev1.PodStatus{Phase: corev1.PodRunning}}},
		{
			name: "a pod that crashes",
			pod: corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"events": "crash"}},
				Status:     corev1.PodStatus{Phase: corev1.PodRunning},
			},
			events: []string{"Warning BackOff"},
		},
		{
			name: "a pod that crashes and is deleted",
			pod: corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"events": "crash"}, DeletionTimestamp: &deleted},
				Status:     corev1.PodStatus{Phase: corev1.PodRunning},
			},
			events: []string{"Normal Killing"},
			gone:   true,
		},
		{
			name: "a pod that is deleted before it starts",
			pod: corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{DeletionTimestamp: &deleted},
				Status:     corev1.PodStatus{Phase: corev1.PodPending},
			},
			events: []string{"Normal Killing"},
			gone:   true,
		},
	}
	stages := readStages(t)
	renderer := gotpl.NewRenderer(gotpl.FuncMap{"Now": func() string { return "2026-11-28T00:00:00Z" }})
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			pod := &test.pod
			pod.Name = "pause"
			pod.Spec.Containers = []corev1.Container{{Name: "pause", Image: "registry.k8s.io/pause:3.10"}}
			stage, err := stages.Match(t.Context(), &lifecycle.Event{Labels: pod.Labels, Data: pod})
			if err != nil {
				t.Fatal(err)
			}
			var events []string
			var phase corev1.PodPhase
			gone := false
			if stage != nil {
				_, err := stage.DoSteps(0, nil, pod, renderer,
					func(event *internalversion.StageEvent) error {
						events = append(events, event.Type+" "+event.Reason)
						return nil
					},
					func() error {
						gone = true
						return nil
					},
					func(patch *lifecycle.Patch) error {
						var patched struct{ Status corev1.PodStatus }
						if err := json.Unmarshal(patch.Data, &patched); err != nil {
							return err
						}
						phase = patched.Status.Phase
						return nil
					},
					nil,
				)
				if err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(test.events, events); diff != "" {
				t.Errorf("Events, -want +got:\n%s", diff)
			}
			if phase != test.phase || gone != test.gone {
				t.Errorf("phase %q and gone %v, want %q and %v", phase, gone, test.phase, test.gone)
			}
		})
	}
}

// readStages reads the file as kwok does.
func readStages(t *testing.T) lifecycle.Lifecycle {
	t.Helper()
	objects, err := config.Load(t.Context(), "stages.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if others := config.FilterWithoutType[*internalversion.Stage](objects); len(others) > 0 {
		t.Fatalf("%d objects are no Stage", len(others))
	}
	pods := internalversion.StageResourceRef{APIGroup: "v1", Kind: "Pod"}
	for _, stage := range config.FilterWithType[*internalversion.Stage](objects) {
		if stage.Spec.ResourceRef != pods {
			t.Errorf("stage %s is for %+v, want %+v", stage.Name, stage.Spec.ResourceRef, pods)
		}
	}
	stages, err := lifecycle.NewLifecycle(config.FilterWithType[*internalversion.Stage](objects))
	if err != nil {
		t.Fatal(err)
	}
	return stages
}
