// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sample

import (
	"runtime"
	"time"

	"github.com/eventseries/eventseries/test/bench/internal/contender"
)

// backlog is a burst of different events on a sink that takes 50 ms a write.
func backlog() []Scenario {
	return []Scenario{{
		Name: "Backlog", Contenders: recorders(),
		config: contender.Config{Series: 2 * newEvents, Latency: 50 * time.Millisecond},
		ops:    func(string) int { return newEvents }, run: runBacklog,
	}}
}

// runBacklog watches for as long as it takes to see the most goroutines; the
// events that are still to be written then are not waited for.
func runBacklog(c *contender.Contender, ops int, s *Sample) {
	pods := newPods(ops)
	before, peak := runtime.NumGoroutine(), 0
	for i, pod := range pods {
		fail(c.Recorder, pod)
		if i%64 == 0 {
			peak = max(peak, runtime.NumGoroutine())
		}
	}
	for range 100 {
		time.Sleep(look)
		peak = max(peak, runtime.NumGoroutine())
	}
	s.add(float64(peak), "goroutines")
	s.add(float64(peak-before), "more-goroutines")
}
