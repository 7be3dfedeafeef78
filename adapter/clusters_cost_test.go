// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"testing"

	"github.com/eventseries/eventseries/adapter"
)

func TestI2ClustersRepeatsAllocateNothing(t *testing.T) {
	c := newClusters(t, map[string]*remote{"east": newRemote(), "west": newRemote()},
		adapter.WithClusterFromContext(clusterOf))
	one, _ := c.Adapter("east")
	recorder, pod, ctx := c.Recorder(controller), newPod("default", "web"), context.WithValue(t.Context(), clusterKey{}, "east")
	for name, get := range map[string]func() *adapter.Recorder{
		"For": func() *adapter.Recorder { return recorder.For("east") }, "FromContext": func() *adapter.Recorder { return recorder.FromContext(ctx) },
	} {
		repeat := func() { get().Eventf(pod, nil, "Normal", "Killing", "Kill", "stopping it") }
		repeat()
		repeat()
		flush(t, one)
		if n := testing.AllocsPerRun(1000, repeat); n > 0.01 {
			t.Errorf("%s: %v allocations for a repeat", name, n)
		}
	}
}
