// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sample

import (
	"runtime"
	"time"

	"github.com/eventseries/eventseries/test/bench/internal/contender"
)

// pauses waits for what a contender does in the background. It can only look
// from outside: work is what uses the CPU, writes, or has a goroutine.
type pauses struct {
	c          *contender.Contender
	cpu        func() time.Duration
	alive      func() int    // goroutines
	goroutines int           // when there is nothing to do
	worked     time.Duration // the CPU time used when work was last seen
	looking    time.Duration // ... by looks since then, which saw none
	idle       time.Duration // ... by such looks before
}

func newPauses(c *contender.Contender) *pauses {
	return &pauses{c: c, cpu: cpu, alive: runtime.NumGoroutine, goroutines: runtime.NumGoroutine()}
}

const (
	look    = 3 * time.Millisecond
	nothing = 200 * time.Microsecond // a look uses some 20
	patient = 2 * time.Minute        // then what is left is given up
)

// pause waits until the contender seems to have nothing to do.
func (p *pauses) pause() { p.wait(2) }

// settle waits until it certainly has nothing to do.
func (p *pauses) settle() { p.wait(20) }

func (p *pauses) wait(looks int) {
	p.busy(p.cpu())
	writes := p.c.Sink.Writes()
	for quiet, end := 0, time.Now().Add(patient); quiet < looks && time.Now().Before(end); {
		before := p.cpu()
		time.Sleep(look)
		now, n := p.cpu(), p.c.Sink.Writes()
		if now-before > nothing || n != writes || p.alive() > p.goroutines {
			p.busy(now)
			writes, quiet = n, 0
			continue
		}
		p.looking += now - before
		quiet++
	}
}

func (p *pauses) busy(now time.Duration) {
	p.idle, p.looking, p.worked = p.idle+p.looking, 0, now
}

// cost is the CPU time used since start, without what the pauses took.
func (p *pauses) cost(start time.Duration) time.Duration { return p.worked - start - p.idle }
