// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/events"
)

// each runs a benchmark with each of its contenders.
func each(b *testing.B, run func(b *testing.B, impl string)) {
	for _, one := range slices.Concat(benchmarks, scale, clusterCost) {
		if "Benchmark"+one.name != b.Name() {
			continue
		}
		for _, impl := range one.impls {
			b.Run("impl="+slug(impl), func(b *testing.B) { run(b, impl) })
		}
	}
}

// size is how many of something there are, fewer in a test.
func size(full int) int {
	if testing.Short() {
		return max(2, full/500)
	}
	return full
}

// newEvents is how many different events a burst has.
const newEvents = 100_000

// repeat reports what a call costs that repeats known series, of which there are so many.
func (c *contender) repeat(b *testing.B, known int, call func(i int)) {
	warm := 100_000
	if c.background {
		warm = 5_000
	}
	c.warmUp(max(2*known, size(warm)), call)
	got := c.measure(func(idle *idler) {
		for i := 0; b.Loop(); i++ {
			call(i)
			if c.background && i%burst == burst-1 {
				idle.wait(paused)
			}
		}
	})
	got.report(b, b.N)
}

// BenchmarkRepeat records the same event about one pod again and again, or about 8,192 pods in turn.
func BenchmarkRepeat(b *testing.B) {
	each(b, func(b *testing.B, impl string) {
		for _, series := range []int{1, 8192} {
			b.Run(fmt.Sprintf("series=%d/args=no", series), func(b *testing.B) {
				c, pods := start(b, impl, config{}), newPods(series)
				defer c.close()
				c.repeat(b, series, func(i int) { c.fail(pods[i&(series-1)]) })
			})
		}
		b.Run("series=1/args=yes", func(b *testing.B) {
			c, pod, node, calls := start(b, impl, config{}), newPod(0), &nodeName{name: "node-4711"}, 0
			defer c.close()
			again := func(i int) {
				calls++
				c.failWith(pod, 1000+i, node)
			}
			c.warmUp(1, again) // the first note is formatted
			node.formatted.Store(0)
			calls = 0
			c.repeat(b, 1, again)
			b.ReportMetric(float64(node.formatted.Load())/float64(calls), "formatted/op")
		})
	})
}

// BenchmarkDistinct records a burst of events that are all different, without a pause, and waits for all writes.
func BenchmarkDistinct(b *testing.B) {
	each(b, func(b *testing.B, impl string) {
		n := size(newEvents)
		pods := newPods(n + 1)
		var all cost
		var delivered int64
		for b.Loop() {
			c := start(b, impl, config{series: 2 * n})
			c.warmUp(1, func(int) { c.fail(pods[n]) })
			before := c.sink.creates.Load()
			got := c.measure(func(*idler) {
				for _, pod := range pods[:n] {
					c.fail(pod)
				}
			})
			delivered += c.sink.creates.Load() - before
			all = cost{all.cpu + got.cpu, all.mallocs + got.mallocs, all.bytes + got.bytes}
			c.close()
		}
		all.report(b, n*b.N)
		b.ReportMetric(float64(all.cpu)/float64(delivered), "cpu-ns/delivered")
		b.ReportMetric(100*float64(delivered)/float64(n*b.N), "%delivered")
	})
}

// BenchmarkTwoGoroutines compares the rate of repeats of two goroutines with that of one. Calls are timed, and not what
// they leave to the background: that is the caller's view.
func BenchmarkTwoGoroutines(b *testing.B) {
	const objects = 64 // of each goroutine
	one, many := newPods(1), newPods(2*objects)
	each(b, func(b *testing.B, impl string) {
		for name, pods := range map[string][2][]*corev1.Pod{
			"different": {many[:objects], many[objects:]}, "same": {one, one},
		} {
			b.Run("objects="+name, func(b *testing.B) { twoGoroutines(b, impl, pods) })
		}
	})
}

// twoGoroutines lets one goroutine and two make the same number of calls, by turns, in slices so short that both meet
// the same machine.
func twoGoroutines(b *testing.B, impl string, pods [2][]*corev1.Pod) {
	c := start(b, impl, config{})
	defer c.close()
	slice := size(50_000)
	switch {
	case c.background:
		slice = min(slice, burst)
	case impl == empty: // a goroutine takes longer to begin than a thousand calls that do nothing
		slice = size(2_500_000)
	}
	calls := func(of []*corev1.Pod, n int) {
		for i := range n {
			c.fail(of[i%len(of)])
		}
	}
	c.warmUp(2*slice, func(i int) { c.fail(pods[i%2][i/2%len(pods[0])]) })
	idle := newIdler(c)
	turn := func(calls func()) float64 {
		start := time.Now()
		calls()
		took := time.Since(start)
		idle.wait(paused)
		return float64(took) / float64(slice)
	}
	var alone, together, speedups []float64
	for b.Loop() {
		one := turn(func() { calls(pods[0], slice) })
		two := turn(func() {
			var both sync.WaitGroup
			for _, of := range pods {
				both.Go(func() { calls(of, slice/2) })
			}
			both.Wait()
		})
		alone, together, speedups = append(alone, one), append(together, two), append(speedups, one/two)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(middle(speedups), "speedup")
	b.ReportMetric(middle(alone), "alone-ns/op")
	b.ReportMetric(middle(together), "together-ns/op")
}

// middle is the median of the slices of one sample.
func middle(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// BenchmarkMemory has series of two occurrences open, and the caller has dropped the objects.
func BenchmarkMemory(b *testing.B) {
	each(b, func(b *testing.B, impl string) {
		n := size(newEvents)
		if impl == toolsRecord {
			n = min(n, 4096) // it remembers no more
		}
		var bytes, open float64
		for b.Loop() {
			c := start(b, impl, config{series: 2 * n})
			c.warmUp(1, func(int) { c.fail(newPod(n)) })
			before, creates := heap(), c.sink.creates.Load()
			pods := newPods(n)
			for range 2 {
				c.warmUp(n, func(i int) { c.fail(pods[i]) })
			}
			pods = nil
			bytes, open = bytes+heap()-before, open+float64(c.sink.creates.Load()-creates)
			c.close()
		}
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(bytes/open, "heap-B/series")
		b.ReportMetric(100*open/float64(n*b.N), "%open")
	})
}

// BenchmarkBacklog has the burst of different events again, to a sink that takes 50 ms for a write. It watches for as
// long as it takes to see the most goroutines, and does not wait for what is still to be written.
func BenchmarkBacklog(b *testing.B) {
	each(b, func(b *testing.B, impl string) {
		pods := newPods(size(newEvents))
		peak := 0
		for b.Loop() {
			c := start(b, impl, config{series: 2 * len(pods), latency: 50 * time.Millisecond})
			for i, pod := range pods {
				c.fail(pod)
				if i%64 == 0 {
					peak = max(peak, runtime.NumGoroutine())
				}
			}
			for range 100 {
				time.Sleep(look)
				peak = max(peak, runtime.NumGoroutine())
			}
			c.close()
		}
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(float64(peak), "goroutines")
	})
}

// BenchmarkLogging repeats an event while every occurrence is logged as text, or in the SDK only the 1st, 2nd, 4th, 8th
// and so on. All contenders do that in the background.
func BenchmarkLogging(b *testing.B) {
	each(b, func(b *testing.B, impl string) {
		for name, options := range map[string][]events.Option{"every": nil, "doublings": {events.WithLogDoublings()}} {
			b.Run("log="+name, func(b *testing.B) {
				c, pod, node := start(b, impl, config{logging: true, options: options}), newPod(0), &nodeName{name: "node-4711"}
				defer c.close()
				calls := int64(0)
				c.repeat(b, 1, func(i int) {
					calls++
					c.failWith(pod, 1000+i, node)
				})
				b.ReportMetric(100*float64(c.lines.Load())/float64(calls), "%logged")
			})
		}
	})
}
