// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/cri"
	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/pleg"
)

// While a worker pulls the image of a sidecar, the main container crashes. So it
// looks again right after it started the sidecar, and before a listing can have
// shown that.
func TestWorkerDoesNotActOnWhatItSawBeforeItsLastStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		crashOnce := func(_ string, n int) (time.Duration, int) {
			if n == 0 {
				return 4 * time.Second, 1
			}
			return 0, 0
		}
		runtime := cri.New(cri.Image{Name: "app", Run: crashOnce}, cri.Image{Name: "big", PullTime: 10 * time.Second})
		cache := pleg.NewCache()
		w := run(t, Parts{Runtime: runtime, Cache: cache, PLEG: pleg.NewGeneric(runtime, cache)})
		pod := newPod("web", "app", corev1.RestartPolicyAlways)
		pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: "sidecar", Image: "big"})
		w.add(t, pod, time.Minute)
		got := map[string]int{}
		for _, o := range w.events.about("web") {
			if o.reason == reasonStarted {
				got[o.regarding.FieldPath]++
			}
		}
		want := map[string]int{"spec.containers{main}": 2, "spec.containers{sidecar}": 1}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("starts (-want +got):\n%s", diff)
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
