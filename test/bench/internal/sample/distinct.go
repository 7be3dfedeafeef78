// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sample

import (
	"github.com/eventseries/eventseries/test/bench/internal/contender"
	"github.com/eventseries/eventseries/test/bench/internal/report"
)

// newEvents is how many different events a burst has.
const newEvents = 100_000

// distinct is a burst of events that are all different, without a pause, and
// all the time that is needed afterwards.
func distinct() []Scenario {
	return []Scenario{{
		Name: "Distinct", Contenders: recorders(), config: contender.Config{Series: 2 * newEvents},
		ops: func(string) int { return newEvents }, run: runDistinct,
	}}
}

// recorders are the contenders that write.
func recorders() []string {
	return []string{report.SDK, report.ToolsEvents, report.ToolsRecord}
}

func runDistinct(c *contender.Contender, ops int, s *Sample) {
	pods := newPods(ops + 1)
	warmUp(c, 1, func(int) { fail(c.Recorder, pods[ops]) })
	before := c.Sink.Creates()
	got := measure(c, func(*pauses) {
		for _, pod := range pods[:ops] {
			fail(c.Recorder, pod)
		}
	})
	delivered := c.Sink.Creates() - before
	s.add(float64(got.cpu)/float64(max(1, delivered)), "cpu-ns/delivered")
	s.add(100*float64(delivered)/float64(ops), "%delivered")
	s.addCost(&got, ops)
}
