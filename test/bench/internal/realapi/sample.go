// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package realapi

import (
	"context"
	"runtime"
	"syscall"
	"time"
)

// sample is what came of one trial.
type sample struct {
	contender string
	size      int           // writes that were due
	delivered int           // of them on the server afterwards
	elapsed   time.Duration // from the first call to the last answer
	cpu       time.Duration // of this process, user and system; the server is another one
}

// rate is in writes a second.
func (s *sample) rate() float64 { return float64(s.delivered) / s.elapsed.Seconds() }

// share is in percent.
func (s *sample) share() float64 { return 100 * float64(s.delivered) / float64(s.size) }

// cost is in microseconds of CPU for a delivered write.
func (s *sample) cost() float64 {
	return float64(s.cpu.Microseconds()) / float64(max(1, s.delivered))
}

// measure gives a contender its turn. count is what every Event says afterwards.
func measure(ctx context.Context, c contender, t *trial, count int64) (s sample, err error) {
	ready, err := c.prepare(ctx, t)
	if err != nil {
		return s, err
	}
	if ready.stop != nil {
		defer ready.stop()
	}
	t.meter.reset()
	runtime.GC() // of what was there before, this trial does not pay for
	cpu, begin := processCPU(), time.Now()
	end, err := ready.run(ctx)
	s = sample{contender: c.name, size: len(t.pods), elapsed: end.Sub(begin), cpu: processCPU() - cpu}
	if err != nil {
		return s, err
	}
	s.delivered, err = t.delivered(ctx, count)
	return s, err
}

// processCPU is what this process has used.
func processCPU() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // of arguments that are constants
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
