// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"net/http"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
	"github.com/eventseries/eventseries/test/e2e/internal/wire"
)

func TestLiveSwitchInMidSeries(t *testing.T) {
	t.Run("AccessChanges", func(t *testing.T) {
		c := newAccessCase(t, harness.EventsV1)
		c.emitUntilThrough(t, wire.EventsV1)
		c.Deny(c.Namespace, harness.EventsV1)
		c.Allow(c.Namespace, harness.CoreV1)
		c.emitUntilThrough(t, wire.CoreV1)
		c.Allow(c.Namespace, harness.EventsV1)
		c.emitUntilThrough(t, wire.EventsV1)
		c.finish(t)
	})
	t.Run("DiscoveryChanges", func(t *testing.T) {
		env := harness.New(t, shared)
		env.Allow(env.Namespace, harness.EventsV1, harness.CoreV1)
		a, r := newAdapter(t, env, events.WithClock(harness.Fast), events.WithFinishInterval(time.Hour))
		c := &accessCase{
			Env: env, rig: r, adapter: a, emitted: map[string]int64{},
			pods: map[string]*corev1.Pod{env.Namespace: env.NewPod(env.Namespace, "web")},
		}
		c.emitUntilThrough(t, wire.EventsV1)
		env.Wire.Add(wire.Always(wire.Group, wire.NotServed))
		c.emitUntilThrough(t, wire.CoreV1)
		if got := a.Snapshot(0).API; got != adapter.Legacy {
			t.Errorf("Status says %s, want %s", got, adapter.Legacy)
		}
		env.Wire.Heal()
		env.Await("the API to be back", func() bool { return a.Snapshot(0).API == adapter.EventsV1 })
		c.emitUntilThrough(t, wire.EventsV1)
		c.drainAll(c.emitted[env.Namespace])
		c.checkCounts(t)
	})
}

// emitUntilThrough goes on with the series until it is written through api.
func (c *accessCase) emitUntilThrough(t *testing.T, api string) {
	t.Helper()
	c.Await("a write through "+api, func() bool {
		c.emit(2)
		c.flush()
		writes := c.Wire.Seen(func(e wire.Exchange) bool { return e.WroteIn(c.Namespace) })
		last := writes[len(writes)-1]
		return last.Through(api) && last.Status < http.StatusBadRequest
	})
	c.checkCounts(t)
}
