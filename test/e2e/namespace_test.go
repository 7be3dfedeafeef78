// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
	"github.com/eventseries/eventseries/test/e2e/internal/wire"
)

func TestFiftyIdenticalAreOneEvent(t *testing.T) {
	env := harness.New(t, shared)
	env.Allow(env.Namespace, harness.EventsV1)
	r, pod := newRig(t, env), env.NewPod(env.Namespace, "web")
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
}

// No controller runs here: a namespace that is deleted stays Terminating.
func TestTerminatingNamespaceIsQuiet(t *testing.T) {
	env := harness.New(t, shared)
	env.Allow(env.Namespace, harness.EventsV1)
	r, pod := newRig(t, env), env.NewPod(env.Namespace, "web")
	env.Terminate(env.Namespace)
	env.Wire.Add(wire.Always(wire.Creates, wire.Delay(100*time.Millisecond)))
	const n, repeats = 20, 3
	for i := range n {
		for range repeats {
			r.Eventf(pod, nil, corev1.EventTypeNormal, fmt.Sprintf("Step%d", i), "Step", "step %d", i)
		}
	}
	r.flush()
	creates := len(env.Wire.Seen(wire.Exchange.IsCreate))
	if creates > n {
		t.Errorf("%d Creates in a namespace that refuses them, want one for each of %d series", creates, n)
	}
	r.Eventf(pod, nil, corev1.EventTypeNormal, "Step0", "Step", "a hot loop goes on")
	r.drain()
	s := r.Stats()
	if got := s.Dropped[events.DropNamespaceGone]; got != n*repeats+1 || s.Observed != got || s.Retries != 0 {
		t.Errorf("want %d occurrences NamespaceGone and no retry: %+v", n*repeats+1, s)
	}
	if again := len(env.Wire.Seen(wire.Exchange.IsCreate)); again != creates {
		t.Errorf("%d more Creates of what was refused before", again-creates)
	}
	if lines := env.Log.Lines(""); len(lines) > 0 {
		t.Errorf("a terminating namespace is not worth a log line: %v", lines)
	}
}
