// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
	"github.com/eventseries/eventseries/test/e2e/internal/wire"
)

// With a window of four that doubles in each 250 ms, 200 Events take two seconds, and a quarter of them is written in one.
func TestDrainAgainstASlowServer(t *testing.T) {
	const n = 200
	start := func(t *testing.T, env *harness.Env, r *rig) {
		env.Wire.Add(wire.Always(wire.Writes, wire.Delay(250*time.Millisecond)))
		pod := env.NewPod(env.Namespace, "web")
		for i := range n {
			r.Eventf(pod, nil, corev1.EventTypeNormal, fmt.Sprintf("Step%d", i), "Step", "step %d", i)
		}
	}
	t.Run("10s", func(t *testing.T) {
		inBoth(t, func(t *testing.T, env *harness.Env, r *rig) {
			start(t, env, r)
			if err := r.drain(10 * time.Second); err != nil {
				t.Fatal(err)
			}
			if got := len(env.Events(env.Namespace)); got != n {
				t.Errorf("%d Events on the server, want %d", got, n)
			}
		})
	})
	t.Run("1s", func(t *testing.T) {
		inBoth(t, func(t *testing.T, env *harness.Env, r *rig) {
			start(t, env, r)
			began := time.Now()
			err := r.drain(time.Second)
			if took := time.Since(began); took > 2*time.Second+500*time.Millisecond {
				t.Errorf("Drain took %v for 1s and another 1s for what was in flight", took)
			}
			var lost *events.AbandonedError
			if !errors.As(err, &lost) || !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("Drain answered %v, want an AbandonedError that wraps the context's error", err)
			}
			checkAbandoned(t, lost, n, harness.Total(env.Events(env.Namespace)))
			if s := r.Stats(); s.Recorded != n-lost.Occurrences || s.Unconfirmed != lost.Unconfirmed {
				t.Errorf("Stats do not agree with %v: %+v", lost, s)
			}
			r.checkConserved()
		})
	})
}

// checkAbandoned checks what is on the server against what Drain said.
func checkAbandoned(t *testing.T, lost *events.AbandonedError, emitted, stored int64) {
	t.Helper()
	if lost.Occurrences == 0 || lost.Occurrences == emitted {
		t.Fatalf("%d of %d occurrences abandoned, the test proves nothing", lost.Occurrences, emitted)
	}
	least := emitted - lost.Occurrences
	if most := least + lost.Unconfirmed; stored < least || stored > most {
		t.Errorf("%d occurrences on the server, want %d to %d by %v", stored, least, most, lost)
	}
	if lost.Stuck > 0 {
		t.Errorf("%d goroutines stuck in a client that honours its context", lost.Stuck)
	}
}
