// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sample

import (
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/bench/internal/contender"
)

// logging is repeats while every event is logged as text. All contenders do
// that in the background, so all get pauses.
func logging() []Scenario {
	scenario := func(name string, config contender.Config) Scenario {
		return Scenario{
			Name: name, Contenders: recorders(), config: config,
			ops: func(string) int { return 50_000 }, run: runLogging,
		}
	}
	return []Scenario{
		scenario("Logging", contender.Config{Logging: true}),
		scenario("Logging/doublings", contender.Config{
			Logging: true, Options: []events.Option{events.WithLogDoublings()},
		}),
	}
}

func runLogging(c *contender.Contender, ops int, s *Sample) {
	c.Background = true
	pod, node := newPod(0), &nodeName{name: "node-4711"}
	known := func(i int) { failWith(c.Recorder, pod, 1000+i, node) }
	warmUp(c, ops/10, known)
	before := c.Lines.Load()
	got := measure(c, func(p *pauses) { repeat(c, p, ops, known) })
	lines := c.Lines.Load() - before
	s.add(float64(got.cpu)/float64(max(1, lines)), "cpu-ns/line")
	s.add(100*float64(lines)/float64(ops), "%logged")
	s.addCost(&got, ops)
}
