// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/test/e2e/internal/harness"
	"github.com/eventseries/eventseries/test/e2e/internal/wire"
)

func TestThousandDistinctInABurst(t *testing.T) {
	inBoth(t, func(t *testing.T, env *harness.Env, r *rig) {
		pod := env.NewPod(env.Namespace, "web")
		const n = 1000
		for i := range n {
			r.Eventf(pod, nil, corev1.EventTypeNormal, fmt.Sprintf("Step%d", i), "Step", "step %d", i)
		}
		r.drainAll(n)
		if got := len(env.Events(env.Namespace)); got != n {
			t.Errorf("%d Events on the server, want %d", got, n)
		}
	})
}

func TestFiftyIdenticalAreOneEvent(t *testing.T) {
	inBoth(t, func(t *testing.T, env *harness.Env, r *rig) {
		pod := env.NewPod(env.Namespace, "web")
		const n = 50
		for range n {
			r.Eventf(pod, nil, corev1.EventTypeWarning, "BackOff", "Restart", "back-off restarting the container")
		}
		r.drainAll(n)
		event := env.OnlyEvent(env.Namespace)
		if got := harness.Count(&event); got != n {
			t.Errorf("series.count %d, want %d", got, n)
		}
		shown := env.Kubectl("describe", "pod", "--namespace", env.Namespace, pod.Name)
		if !strings.Contains(shown, "(x50 over") {
			t.Errorf("kubectl describe pod does not show %q:\n%s", "(x50 over", shown)
		}
	})
}

// The second occurrence comes while the Create of the first is on its way, which
// is when client-go sends a Patch for an Event that is not there yet.
func TestTwiceInARowNeverPatchesTooEarly(t *testing.T) {
	const keys = 20
	inBoth(t, func(t *testing.T, env *harness.Env, r *rig) {
		release, arrived := make(chan struct{}), make(chan struct{}, keys)
		env.Wire.Add(wire.Always(wire.Creates, wire.Hold(release, arrived)))
		pod := env.NewPod(env.Namespace, "web")
		for i := range keys {
			r.Eventf(pod, nil, corev1.EventTypeNormal, fmt.Sprintf("Step%d", i), "Step", "step")
			<-arrived
			r.Eventf(pod, nil, corev1.EventTypeNormal, fmt.Sprintf("Step%d", i), "Step", "step")
			release <- struct{}{}
		}
		r.drainAll(2 * keys)
		patches := env.Wire.Seen(wire.Exchange.IsPatch)
		if len(patches) != keys {
			t.Errorf("%d Patches, want %d", len(patches), keys)
		}
		for _, e := range patches {
			if e.Status != http.StatusOK {
				t.Errorf("Patch answered %d, want %d: %s", e.Status, http.StatusOK, e.Path)
			}
		}
		if all := env.Events(env.Namespace); len(all) != keys || harness.Total(all) != 2*keys {
			t.Errorf("%d Events for %d occurrences, want %d for %d", len(all), harness.Total(all), keys, 2*keys)
		}
	})
}

func TestDeletedEventIsRecreatedWithTheFullCount(t *testing.T) {
	inBoth(t, func(t *testing.T, env *harness.Env, r *rig) {
		pod := env.NewPod(env.Namespace, "web")
		emit := func() { r.Eventf(pod, nil, corev1.EventTypeNormal, "Synced", "Sync", "synced") }
		for range 3 {
			emit()
		}
		r.flush()
		first := env.OnlyEvent(env.Namespace)
		err := env.Admin.EventsV1().Events(env.Namespace).Delete(t.Context(), first.Name, metav1.DeleteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		emit()
		r.drainAll(4)
		second := env.OnlyEvent(env.Namespace)
		if got := harness.Count(&second); got != 4 {
			t.Errorf("recreated with count %d, want 4", got)
		}
		if second.Name != first.Name || second.UID == first.UID {
			t.Errorf("recreated as %s (%s), want a new object of the name %s (%s)",
				second.Name, second.UID, first.Name, first.UID)
		}
	})
}
