// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events/eventstest"
)

// Before Start a flush writes as the mode and the cluster say, and starts nothing: the bubble would find it. Start asks nobody
// again what the flush has learnt.
func TestUnstartedFlush(t *testing.T) {
	everywhere := []eventstest.Access{{Namespace: "default"}, {Group: v1, Namespace: "default"}}
	for name, r := range map[string]struct {
		mode    adapter.API
		prepare func(*cluster)
		written []eventstest.Access
		probes  int64
	}{
		"v1":                {adapter.Auto, func(*cluster) {}, everywhere[1:], 1},
		"an old cluster":    {adapter.Auto, func(c *cluster) { c.ServeEventsV1(false) }, everywhere, 12},
		"no RBAC for v1":    {adapter.Auto, func(c *cluster) { c.deny("default", v1) }, everywhere, 1},
		"pinned to core/v1": {adapter.CoreV1, func(*cluster) {}, everywhere[:1], 0},
		"pinned to legacy":  {adapter.Legacy, func(*cluster) {}, everywhere[:1], 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster()
				r.prepare(c)
				a := adapter.New(t.Context(), c.client(), quiet, adapter.WithMode(r.mode))
				defer a.Shutdown()
				emit(a.NewRecorder(controller), 3, "default", "web")
				flush(t, a)
				e := only(t, c)
				checkCount(t, &e, 3)
				if diff := cmp.Diff(r.written, c.Written()); diff != "" {
					t.Errorf("written to (-want +got):\n%s", diff)
				}
				time.Sleep(time.Second)
				if err := a.Start(t.Context()); err != nil {
					t.Error(err)
				}
				time.Sleep(59 * time.Minute)
				if n := c.probes.Load(); n != r.probes {
					t.Errorf("discovery was asked %d times, want %d", n, r.probes)
				}
			})
		})
	}
}
