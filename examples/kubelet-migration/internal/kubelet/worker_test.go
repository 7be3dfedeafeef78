// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/cri"
	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/pleg"
)

// Two containers that crash at once are two events of one listing. The first
// makes the worker restart both, the second makes it look again, before the next
// listing can show that they run.
func TestWorkerDoesNotActOnWhatItSawBeforeItsLastStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runtime, cache := cri.New(cri.Image{Name: "app", Run: func(_ string, n int) (time.Duration, int) {
			return map[bool]time.Duration{true: 4 * time.Second}[n == 0], 1
		}}), pleg.NewCache()
		w := run(t, Parts{Runtime: runtime, Cache: cache, PLEG: pleg.NewGeneric(runtime, cache)})
		pod := newPod("web", "app", corev1.RestartPolicyAlways)
		pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: "sidecar", Image: "app"})
		w.add(t, pod, time.Minute)
		starts := map[string]int{}
		for _, o := range w.events.about("web") {
			if o.reason == reasonStarted {
				starts[o.regarding.FieldPath]++
			}
		}
		for container, got := range starts {
			if got != 2 {
				t.Errorf("%s was started %d times, want once and once after its crash", container, got)
			}
		}
		if len(starts) != 2 {
			t.Errorf("started %v, want both containers", starts)
		}
	})
}

func TestWorkersOfEquallyNamedPodsBehaveAlike(t *testing.T) {
	k := New(Parts{Node: "node-1"})
	one := newWorker(t.Context(), k, newPod("web", "app", corev1.RestartPolicyAlways))
	two := newWorker(t.Context(), k, newPod("web", "app", corev1.RestartPolicyAlways))
	other := newWorker(t.Context(), k, newPod("db", "app", corev1.RestartPolicyAlways))
	if a, b, c := one.rand.Uint64(), two.rand.Uint64(), other.rand.Uint64(); a != b || a == c {
		t.Errorf("random numbers %d, %d and of another pod %d", a, b, c)
	}
}
