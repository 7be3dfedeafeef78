// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sample

import (
	"runtime"

	"github.com/eventseries/eventseries/test/bench/internal/contender"
	"github.com/eventseries/eventseries/test/bench/internal/report"
)

// remembered is how many keys tools/record remembers at most.
const remembered = 4096

// memory is what stays in memory while series are open, each with two
// occurrences, when the caller has dropped the objects.
func memory() []Scenario {
	return []Scenario{{
		Name: "Memory", Contenders: recorders(), config: contender.Config{Series: 2 * newEvents},
		ops: func(name string) int {
			if name == report.ToolsRecord {
				return remembered
			}
			return newEvents
		},
		run: runMemory,
	}}
}

func runMemory(c *contender.Contender, ops int, s *Sample) {
	warmUp(c, 1, func(int) { fail(c.Recorder, newPod(ops)) })
	before, creates := heap(), c.Sink.Creates()
	pods := newPods(ops)
	for range 2 {
		warmUp(c, ops, func(i int) { fail(c.Recorder, pods[i]) })
	}
	pods = nil
	after, open := heap(), float64(c.Sink.Creates()-creates)
	s.add((after-before)/open, "heap-B/series")
	s.add(100*open/float64(ops), "%open")
	runtime.KeepAlive(c)
}

// heap is what is reachable.
func heap() float64 {
	runtime.GC() // twice, for what the first one's finalizers and pools let go
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
