// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"errors"
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
		creates := len(env.Wire.Seen(wire.Exchange.IsCreate))
		if creates > n {
			t.Errorf("%d Creates in a namespace that refuses them, want one for each of %d series", creates, n)
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
		if lines := env.Log.Lines(""); len(lines) > 0 {
			t.Errorf("a terminating namespace is not worth a log line: %v", lines)
		}
	})
}

// Whoever deletes a namespace deletes the RoleBinding in it too, so that the last
// writes are refused by RBAC. That says nothing about any other namespace.
func TestNamespaceAndRoleBindingDeleted(t *testing.T) {
	c := newAccessCase(t, harness.EventsV1)
	stop, stopped := make(chan struct{}), make(chan int64)
	go func() { stopped <- c.emitUntil(stop) }()
	writes := func(more int) {
		before := c.Stats()
		c.Await("more writes", func() bool { return c.Stats().Creates-before.Creates >= int64(more) })
	}
	writes(20)
	c.Terminate(c.Namespace)
	writes(20)
	c.Deny(c.Namespace, harness.EventsV1)
	c.Await("a refusal by RBAC", func() bool {
		_, found := c.adapter.Snapshot(0).Namespaces[c.Namespace]
		return found
	})
	c.Finalize(c.Namespace)
	writes(20)
	close(stop)
	n := <-stopped

	// What nobody will ever allow is tried to the end: this Drain takes its time.
	var lost *events.AbandonedError
	if err := c.drain(3 * time.Second); err != nil && !errors.As(err, &lost) {
		t.Fatal(err)
	}
	if got := harness.Total(c.Events(c.other)); got != n {
		t.Errorf("%d of %d occurrences on the server in the other namespace", got, n)
	}
	c.checkOther(t)
	c.checkConserved()
	if s := c.Stats(); s.Observed != 2*n || s.Recorded < n {
		t.Errorf("of %d occurrences in each namespace: %+v", n, s)
	}
	if core := c.Wire.Seen(func(e wire.Exchange) bool { return e.Through(wire.CoreV1) }); len(core) > 0 {
		t.Errorf("requests to core/v1, which RBAC never allowed: %v", core)
	}
}

// emitUntil records in both namespaces, something new each time, until stop is
// closed. It returns how often.
func (c *accessCase) emitUntil(stop <-chan struct{}) (n int64) {
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-stop:
			return n
		case <-ticker.C:
		}
		n++
		for _, pod := range c.pods {
			c.Eventf(pod, nil, corev1.EventTypeNormal, fmt.Sprintf("Step%d", n), "Step", "step %d", n)
		}
	}
}
