// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	eventsprom "github.com/eventseries/eventseries/contrib/prometheus"
)

// BenchmarkGrowth opens and writes series, repeats them in turn, looks at all of them, and drains: with more and more
// series, and with 20,000 in more and more namespaces. Each figure is for one series or one call.
func BenchmarkGrowth(b *testing.B) {
	each(b, func(b *testing.B, impl string) {
		for _, n := range []int{100, 1_000, 10_000, 100_000, 1_000_000} {
			b.Run(fmt.Sprintf("series=%d", n), func(b *testing.B) {
				for b.Loop() {
					growth(b, impl, size(n), 100)
				}
			})
		}
		for _, n := range []int{1, 10, 100, 1_000, 10_000} {
			b.Run(fmt.Sprintf("namespaces=%d", n), func(b *testing.B) {
				for b.Loop() {
					growth(b, impl, size(20_000), n)
				}
			})
		}
	})
}

// manyCalls take long enough to be measured.
const manyCalls = 300_000

// growth reports one sample, in the place of the last.
func growth(b *testing.B, impl string, series, namespaces int) {
	pods := newPods(series)
	for i, pod := range pods {
		pod.Namespace = fmt.Sprintf("team-%05d", i%namespaces)
	}
	c := start(b, impl, config{series: 2 * series})
	defer c.close()
	known := func(i int) { c.fail(pods[i%series]) }
	report := func(total float64, unit string) { b.ReportMetric(total/float64(series), unit) }
	cpu := func(do func()) float64 {
		start := cpuTime()
		do()
		return float64(cpuTime() - start)
	}
	repeat := func(times int) func() {
		return func() {
			for i := range series * times {
				known(i)
			}
		}
	}
	before := heap()
	opened := c.measure(func(idle *idler) { c.do(idle, series, known) })
	report(heap()-before, "heap-B/series")
	report(float64(opened.cpu), "cpu-ns/first")
	c.warmUp(series, known)
	report(cpu(repeat(1)), "cpu-ns/woken") // the first repeat after a write, which the series must be made ready for
	times := max(1, size(manyCalls)/series)
	report(cpu(repeat(times))/float64(times), "cpu-ns/op") // what they leave to write is not waited for
	b.ReportMetric(0, "ns/op")
	if c.broadcaster == nil {
		return
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(eventsprom.NewCollector(c.broadcaster))
	looks := max(3, manyCalls/10/series)
	report(wall(looks, func() { c.broadcaster.Stats() }), "stats-ns/series")
	report(wall(looks, func() { _, _ = registry.Gather() }), "scrape-ns/series") // it cannot fail
	report(cpu(func() { _ = c.broadcaster.Drain(context.Background()) }), "drain-ns/series")
	abandoned := start(b, sdk, config{series: 2 * series, idle: true}) // nothing of it is ever written
	for i := range series {
		abandoned.fail(pods[i])
	}
	report(cpu(func() { _ = abandoned.broadcaster.Drain(context.Background()) }), "abandon-ns/series")
}

func wall(times int, do func()) float64 {
	start := time.Now()
	for range times {
		do()
	}
	return float64(time.Since(start)) / float64(times)
}
