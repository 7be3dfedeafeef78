// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"runtime"
	"syscall"
	"testing"
	"time"
)

// cpuTime is the user and system time that this process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // the arguments are constants
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// cost is what some calls take of the whole process, until nothing of them is left to do.
type cost struct {
	cpu            time.Duration
	mallocs, bytes uint64
}

// measure makes calls, lets the contender finish, and waits until it has.
func (c *contender) measure(calls func(*idler)) (got cost) {
	runtime.GC()
	var before, after runtime.MemStats
	idle := newIdler(c)
	runtime.ReadMemStats(&before)
	start := cpuTime()
	calls(idle)
	if c.flush != nil {
		c.flush()
	}
	idle.wait(settled)
	got.cpu = idle.worked - start - idle.idle
	runtime.ReadMemStats(&after)
	got.mallocs, got.bytes = after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc
	return got
}

// report reports what a call costs. Allocations are rounded down for each call, as package testing does.
func (got *cost) report(b *testing.B, calls int) {
	b.ReportAllocs()
	b.ReportMetric(0, "ns/op") // what is not in the background, which says nothing of the peers
	b.ReportMetric(float64(got.cpu)/float64(calls), "cpu-ns/op")
	b.ReportMetric(float64(got.bytes/uint64(calls)), "B/op")
	b.ReportMetric(float64(got.mallocs/uint64(calls)), "allocs/op")
}

// idler waits until a contender has no more work in the background. It can only look from outside:
// a contender works while it uses the CPU, writes, or has a goroutine. The CPU time of the looks
// themselves is not charged to the contender.
type idler struct {
	c          *contender
	goroutines int           // when there is nothing to do
	worked     time.Duration // the CPU time used when work was last seen
	looking    time.Duration // ... by looks since then, which saw none
	idle       time.Duration // ... by such looks before
}

func newIdler(c *contender) *idler { return &idler{c: c, goroutines: runtime.NumGoroutine()} }

const (
	look    = 3 * time.Millisecond
	nothing = 200 * time.Microsecond // a look uses some 20
	patient = 2 * time.Minute        // then what is left is given up

	paused, settled = 2, 20 // looks in a row without work: it seems to be done, it certainly is
)

func (i *idler) wait(looks int) {
	i.busy(cpuTime())
	writes := i.c.sink.writes.Load()
	for quiet, end := 0, time.Now().Add(patient); quiet < looks && time.Now().Before(end); {
		before := cpuTime()
		time.Sleep(look)
		now, n := cpuTime(), i.c.sink.writes.Load()
		if now-before > nothing || n != writes || runtime.NumGoroutine() > i.goroutines {
			i.busy(now)
			writes, quiet = n, 0
			continue
		}
		i.looking += now - before
		quiet++
	}
}

func (i *idler) busy(now time.Duration) { i.idle, i.looking, i.worked = i.idle+i.looking, 0, now }

// burst is after how many calls a contender that works in the background gets a pause, so that its queues of 1000 lose
// nothing. The others do the same without: their work is done when a call returns.
const burst = 800

// do calls n times.
func (c *contender) do(idle *idler, n int, call func(i int)) {
	for i := range n {
		call(i)
		if c.background && i%burst == burst-1 {
			idle.wait(paused)
		}
	}
}

// warmUp opens series and lets pools, maps and stacks grow. It returns when all is written.
func (c *contender) warmUp(n int, call func(i int)) {
	c.measure(func(idle *idler) { c.do(idle, n, call) })
}

// heap is what is reachable.
func heap() float64 {
	runtime.GC() // twice, for what the first one's finalizers and pools let go
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
