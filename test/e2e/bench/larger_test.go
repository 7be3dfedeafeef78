// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/eventseries/eventseries/test/e2e/bench/internal/load"
	"github.com/eventseries/eventseries/test/e2e/bench/internal/world"
)

// samples are how many kubelets of a larger cluster record. What they write is multiplied.
var samples = []int{500, 1_000, 2_000}

// BenchmarkLarge has a sample of the kubelets of a cluster, and then its control plane, record twenty minutes of a
// normal day. The cluster itself has its full size.
func BenchmarkLarge(b *testing.B) {
	config := load.Config{Nodes: 15_000, PodsPerNode: 110, Span: 20 * time.Minute, Seed: 1}
	samples := samples
	if testing.Short() {
		config.Nodes, config.PodsPerNode = 9, 20
		samples = []int{3, 9}
	}
	each(b, func(b *testing.B, impl string) {
		for _, n := range samples {
			b.Run(fmt.Sprintf("part=%d-kubelets", n), func(b *testing.B) {
				for b.Loop() {
					api := part(load.New(config.Of(0, n)), impl)
					b.ReportMetric(0, "ns/op")
					b.ReportMetric(meanRate(api, 0, config.Span)*float64(config.Nodes)/float64(n), "writes/s")
				}
			})
		}
		b.Run("part=control-plane", func(b *testing.B) {
			for b.Loop() {
				api := part(load.New(config.Of(config.Nodes, len(config.Components()))), impl)
				b.ReportMetric(meanRate(api, 0, config.Span), "writes/s")
				reportDelivery(b, api)
			}
		})
	})
}

// BenchmarkChurn has a sample of the kubelets, and then the scheduler, record how pods of one container come and go, as
// many in a second as Google has published of a cluster of this size.
func BenchmarkChurn(b *testing.B) {
	const (
		nodes         = 130_000
		pods          = 1_000 // a second
		span          = 90 * time.Second
		steady        = 70 * time.Second // from when on as many pods end as begin
		shareOfMisfit = 0.01             // of the pods fit nowhere at first
	)
	if testing.Short() {
		b.Skip("-short: minutes")
	}
	begin := func(first, end, qps int) *load.Cluster {
		config := load.Config{
			Nodes: nodes, PodsPerNode: 8, Containers: 1, Span: span, Seed: 1, SchedulerRate: 2 * pods, QPS: qps,
		}
		cluster := load.NewIdle(config.Of(first, end))
		n := pods * int(span/time.Second)
		cluster.Add(load.PodLife, n, span)
		cluster.Add(load.Misfit, int(shareOfMisfit*float64(n)), span)
		return cluster
	}
	each(b, func(b *testing.B, impl string) {
		for _, n := range samples {
			b.Run(fmt.Sprintf("part=%d-kubelets", n), func(b *testing.B) {
				for b.Loop() {
					api := part(begin(0, n, 0), impl)
					b.ReportMetric(0, "ns/op")
					b.ReportMetric(meanRate(api, steady, span)*nodes/float64(n), "writes/s")
				}
			})
		}
		const scheduler = nodes + load.Scheduler
		// The limit of the scheduler's client: 50 requests a second by default, or twice the pods.
		for limit, qps := range map[string]int{"default": 0, "raised": 2 * pods} {
			b.Run("part=scheduler/limit="+limit, func(b *testing.B) {
				for b.Loop() {
					api := part(begin(scheduler, scheduler+1, qps), impl)
					b.ReportMetric(meanRate(api, steady, span), "writes/s")
					reportDelivery(b, api)
					without := watch(begin(scheduler, scheduler, qps), impl, span)
					with := watch(begin(scheduler, scheduler+1, qps), impl, span)
					with[0].over(without[0], 1).report(b, "end-")
				}
			})
		}
	})
}

// part has the components that record deliver what happens in a cluster.
func part(cluster *load.Cluster, impl string) (api *world.API) {
	world.Simulate(func() {
		api = world.NewAPI()
		play(api, cluster, impl, cluster.Span, func() {})
	})
	return api
}

// meanRate is the mean number of requests in a second between two times.
func meanRate(api *world.API, from, to time.Duration) float64 {
	first, end := int(from/time.Second), int(to/time.Second)
	seconds := append(api.Seconds(), make([]int, end)...)
	return float64(sum(seconds[first:end])) / float64(end-first)
}

// reportDelivery reports what arrived, and when.
func reportDelivery(b *testing.B, api *world.API) {
	totals, warnings := api.Totals(), api.Firsts(true, warningsWithin)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(100*float64(totals.Lost())/float64(totals.Occurrences), "%lost")
	b.ReportMetric(warnings.Took.Quantile(0.5).Seconds(), "warning-p50-seconds")
	b.ReportMetric(warnings.Took.Quantile(0.99).Seconds(), "warning-p99-seconds")
}
