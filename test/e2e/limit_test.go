// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

// A component that makes up its reasons and field paths costs the cluster the Events of the limit and one for each type,
// which the server accepts and kubectl shows. The occurrences are all counted.
func TestRunawayComponentIsLimited(t *testing.T) {
	const n, limit = 100_000, 10
	inBoth(t, func(t *testing.T, env *harness.Env, r *rig) {
		pod := env.NewPod(env.Namespace, "web")
		for i := range n {
			part := corev1.ObjectReference{
				APIVersion: "v1", Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID,
				FieldPath: fmt.Sprintf("spec.containers{%d}", rand.Uint64()),
			}
			eventType := []string{corev1.EventTypeNormal, corev1.EventTypeWarning}[i%2]
			r.Eventf(&part, nil, eventType, fmt.Sprintf("Failed%d", rand.Uint64()), "Fetch", "request %d", i)
		}
		r.drainAll(n)
		all := env.Events(env.Namespace)
		if len(all) != limit+2 || harness.Total(all) != n {
			t.Errorf("%d Events for %d occurrences, want %d for %d", len(all), harness.Total(all), limit+2, n)
		}
		if s := r.Stats(); s.Folded != n-limit {
			t.Errorf("%d are folded, want %d", s.Folded, n-limit)
		}
		shown := env.Kubectl("describe", "pod", "--namespace", env.Namespace, pod.Name)
		for _, eventType := range []string{"Normal   TooManyEvents", "Warning  TooManyEvents"} {
			if !strings.Contains(shown, eventType) {
				t.Errorf("kubectl describe pod does not show %q:\n%s", eventType, shown)
			}
		}
		if count := fmt.Sprintf("(x%d over", (n-limit)/2); strings.Count(shown, count) != 2 {
			t.Errorf("kubectl describe pod does not show %q twice:\n%s", count, shown)
		}
	}, events.WithObjectLimit(limit))
}
