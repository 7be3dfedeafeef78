// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/test/e2e/internal/harness"
	"github.com/eventseries/eventseries/test/e2e/internal/wire"
)

func TestAppliedCreateAnsweredWith500(t *testing.T) {
	inBoth(t, func(t *testing.T, env *harness.Env, r *rig) {
		env.Wire.Add(wire.Times(1, wire.Creates, wire.ApplyThenFail(time.Second)))
		pod := env.NewPod(env.Namespace, "web")
		const n = 5
		for range n {
			r.Eventf(pod, nil, corev1.EventTypeNormal, "Synced", "Sync", "synced")
		}
		r.flush()
		for range n {
			r.Eventf(pod, nil, corev1.EventTypeNormal, "Synced", "Sync", "synced")
		}
		r.drainAll(2 * n)
		event := env.OnlyEvent(env.Namespace)
		if got := harness.Count(&event); got != 2*n {
			t.Errorf("count %d, want %d", got, 2*n)
		}
		var answers []int
		for _, e := range env.Wire.Seen(wire.Exchange.IsCreate) {
			answers = append(answers, e.Status)
		}
		if want := fmt.Sprint([]int{http.StatusInternalServerError, http.StatusConflict}); fmt.Sprint(answers) != want {
			t.Errorf("Creates answered %v, want %s: our own first try and the proof of it", answers, want)
		}
	})
}

// checkWrittenThrough checks that all writes in namespace went through one API.
func checkWrittenThrough(t *testing.T, env *harness.Env, namespace, api string) {
	t.Helper()
	writes := env.Wire.Seen(func(e wire.Exchange) bool { return e.WroteIn(namespace) })
	if len(writes) == 0 {
		t.Errorf("no write in %s", namespace)
	}
	for _, e := range writes {
		if !e.Through(api) {
			t.Errorf("%s %s answered %d, want all through %s", e.Method, e.Path, e.Status, api)
		}
	}
}
