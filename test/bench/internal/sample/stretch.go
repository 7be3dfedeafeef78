// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sample

import (
	"runtime"
	"time"

	"github.com/eventseries/eventseries/test/bench/internal/contender"
)

// stretch is the measured part of a sample.
type stretch struct {
	cpu            time.Duration // until nothing was left to do
	mallocs, bytes uint64
}

// measure does the work, lets the contender finish, and waits until it has.
func measure(c *contender.Contender, work func(p *pauses)) stretch {
	runtime.GC()
	var s stretch
	var before, after runtime.MemStats
	p := newPauses(c)
	runtime.ReadMemStats(&before)
	start := cpu()
	work(p)
	c.Finish()
	p.settle()
	s.cpu = p.cost(start)
	runtime.ReadMemStats(&after)
	s.mallocs, s.bytes = after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc
	return s
}

// Contenders that work in the background get a pause after each burst until
// their queues of 1000 are empty, so that they lose nothing. The others do the
// same without pauses: their work is done when a call returns.
const burst = 800

// repeat calls n times, with pauses where they are needed.
func repeat(c *contender.Contender, p *pauses, n int, call func(i int)) {
	for i := range n {
		call(i)
		if c.Background && i%burst == burst-1 {
			p.pause()
		}
	}
}
