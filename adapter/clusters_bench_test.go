// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"testing"

	clientevents "k8s.io/client-go/tools/events"

	"github.com/eventseries/eventseries/adapter"
)

// repeats returns a function for each way to record a repeat, in a cluster that has its first two occurrences.
func repeats(tb testing.TB) map[string]func() {
	c := newClusters(tb, map[string]*remote{"east": newRemote(), "west": newRemote()},
		adapter.WithClusterFromContext(clusterOf))
	one, _ := c.Adapter("east")
	adapterRecorder, recorder := one.NewRecorder(controller), c.Recorder(controller)
	kept := recorder.For("east")
	ctx := context.WithValue(tb.Context(), clusterKey{}, "east")
	pod := newPod("default", "web")
	record := func(rec clientevents.EventRecorder) {
		rec.Eventf(pod, nil, "Normal", "Killing", "Kill", "stopping it")
	}
	record(kept)
	record(kept)
	flush(tb, one)
	return map[string]func(){
		"Adapter":     func() { record(adapterRecorder) },
		"kept":        func() { record(kept) },
		"For":         func() { record(recorder.For("east")) },
		"FromContext": func() { record(recorder.FromContext(ctx)) },
	}
}

func TestI2ClustersRepeatsAllocateNothing(t *testing.T) {
	for name, repeat := range repeats(t) {
		if n := testing.AllocsPerRun(1000, repeat); n > 0.01 {
			t.Errorf("%s: %v allocations for a repeat", name, n)
		}
	}
}

func BenchmarkClustersRepeat(b *testing.B) {
	all := repeats(b)
	for _, name := range []string{"Adapter", "kept", "For", "FromContext"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				all[name]()
			}
		})
	}
}

// What an engaged cluster costs before its first Event.
func BenchmarkEngage(b *testing.B) {
	c := newClusters(b, nil)
	r := newRemote()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		name := string([]byte{byte(i), byte(i >> 8), byte(i >> 16)})
		if err := c.Engage(b.Context(), name, r.config); err != nil {
			b.Fatal(err)
		}
	}
}
