// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sample

import (
	"github.com/eventseries/eventseries/test/bench/internal/contender"
	"github.com/eventseries/eventseries/test/bench/internal/report"
)

// repeats are occurrences of series that are known: one series, or several in
// turn, as a controller that retries.
func repeats() []Scenario {
	everybody := contender.Names()
	return []Scenario{
		{Name: "Repeat/series=1/args=no", Contenders: everybody, ops: opsOfCalls, run: repeatPlain(1)},
		{Name: "Repeat/series=1/args=yes", Contenders: everybody, ops: opsOfCalls, run: repeatWithArgs},
		{Name: "Repeat/series=8192/args=no", Contenders: everybody, ops: opsOfCalls, run: repeatPlain(8192)},
	}
}

// opsOfCalls keeps a sample below a second or two.
func opsOfCalls(name string) int {
	if name == report.ToolsEvents || name == report.ToolsRecord {
		return 50_000
	}
	return 1_000_000
}

// repeatPlain records notes without args. series is a power of two.
func repeatPlain(series int) func(*contender.Contender, int, *Sample) {
	return func(c *contender.Contender, ops int, s *Sample) {
		pods := newPods(series)
		known := func(i int) { fail(c.Recorder, pods[i&(series-1)]) }
		warmUp(c, max(2*series, ops/10), known)
		got := measure(c, func(p *pauses) { repeat(c, p, ops, known) })
		s.addCost(&got, ops)
	}
}

func repeatWithArgs(c *contender.Contender, ops int, s *Sample) {
	pod, node := newPod(0), &nodeName{name: "node-4711"}
	known := func(i int) { failWith(c.Recorder, pod, 1000+i, node) }
	warmUp(c, ops/10, known)
	node.asked.Store(0)
	got := measure(c, func(p *pauses) { repeat(c, p, ops, known) })
	s.addCost(&got, ops)
	s.add(float64(node.asked.Load())/float64(ops), "formatted/op")
}

// warmUp opens the series and lets pools, maps and stacks grow.
func warmUp(c *contender.Contender, n int, call func(i int)) {
	p := newPauses(c)
	repeat(c, p, n, call)
	c.Finish()
	p.settle()
}

// addCost adds what a call costs. Allocations are rounded down per call, as
// package testing does.
func (s *Sample) addCost(got *stretch, ops int) {
	s.add(float64(got.cpu)/float64(ops), "cpu-ns/op")
	s.add(float64(got.bytes/uint64(ops)), "B/op")
	s.add(float64(got.mallocs/uint64(ops)), "allocs/op")
}
