// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
	"github.com/eventseries/eventseries/test/e2e/internal/wire"
)

// No controller runs here: a namespace that is deleted stays Terminating.
func TestTerminatingNamespaceIsQuiet(t *testing.T) {
	inBoth(t, func(t *testing.T, env *harness.Env, r *rig) {
		pod := env.NewPod(env.Namespace, "web")
		env.Terminate(env.Namespace)
		env.Wire.Add(wire.Always(wire.Creates, wire.Delay(100*time.Millisecond)))
		const n, repeats = 20, 3
		for i := range n {
			for range repeats {
				r.Eventf(pod, nil, corev1.EventTypeNormal, fmt.Sprintf("Step%d", i), "Step", "step %d", i)
			}
		}
		r.flush()
		// One refusal speaks for the namespace; the others were on their way when it
		// came.
		creates := len(env.Wire.Seen(wire.Exchange.IsCreate))
		if creates > 3 {
			t.Errorf("%d Creates in a namespace that refuses them, want 3 at most", creates)
		}
		r.Eventf(pod, nil, corev1.EventTypeNormal, "Step0", "Step", "a hot loop goes on")
		if err := r.drain(soon); err != nil {
			t.Fatal(err)
		}
		s := r.Stats()
		if got := s.Dropped[events.NamespaceGone]; got != n*repeats+1 || s.Observed != got || s.Retries != 0 {
			t.Errorf("want %d occurrences NamespaceGone and no retry: %+v", n*repeats+1, s)
		}
		if again := len(env.Wire.Seen(wire.Exchange.IsCreate)); again != creates {
			t.Errorf("%d more Creates of what was refused before", again-creates)
		}
		if lines := env.Log.Lines(); len(lines) > 0 {
			t.Errorf("a terminating namespace is not worth a log line: %v", lines)
		}
	})
}
