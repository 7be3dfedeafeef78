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

// larger are clusters of which a sample of the kubelets records. What the sample writes is multiplied.
var larger = []struct {
	nodes   int
	samples []int
}{
	{5_000, []int{1_000}}, // BenchmarkDay has all of them
	{15_000, []int{500, 1_000, 2_000}},
}

// BenchmarkLarge has a sample of the kubelets of a cluster, and then its control plane, record a normal day. The cluster
// itself has its full size.
func BenchmarkLarge(b *testing.B) {
	if testing.Short() {
		b.Skip("-short: BenchmarkDay has the same code")
	}
	each(b, func(b *testing.B, impl string) {
		for _, c := range larger {
			config := load.Config{Nodes: c.nodes, PodsPerNode: 110, Span: time.Hour, Seed: 1}
			for _, n := range c.samples {
				b.Run(fmt.Sprintf("nodes=%d/part=%d-kubelets", c.nodes, n), func(b *testing.B) {
					for b.Loop() {
						api := part(load.New(config.Of(0, n)), impl)
						b.ReportMetric(0, "ns/op")
						b.ReportMetric(rate(api, 0, config.Span)*float64(c.nodes)/float64(n), "writes/s")
					}
				})
			}
			b.Run(fmt.Sprintf("nodes=%d/part=control-plane", c.nodes), func(b *testing.B) {
				for b.Loop() {
					api := part(load.New(config.Of(c.nodes, len(config.Components()))), impl)
					b.ReportMetric(rate(api, 0, config.Span), "writes/s")
					reportDelivery(b, api)
				}
			})
		}
	})
}

// churns are clusters in which pods come and go, with pods a second that somebody has published.
var churns = []struct {
	nodes, pods int
	samples     []int // of kubelets
}{
	{65_000, 433, []int{2_000}},
	{100_000, 500, []int{2_000}},
	{130_000, 1_000, []int{500, 1_000, 2_000}},
}

const (
	churning      = 2 * time.Minute
	steady        = 75 * time.Second // from when on as many pods end as begin
	shareOfMisfit = 0.01             // of the pods fit nowhere at first
)

// BenchmarkChurn has a sample of the kubelets, and then the scheduler, record how pods of one container come and go.
func BenchmarkChurn(b *testing.B) {
	if testing.Short() {
		b.Skip("-short: minutes")
	}
	each(b, func(b *testing.B, impl string) {
		for _, c := range churns {
			config := load.Config{
				Nodes: c.nodes, PodsPerNode: 8, Containers: 1, Span: churning, Seed: 1, SchedulerRate: 2 * c.pods,
			}
			begin := func(config load.Config) *load.Cluster {
				cluster := load.NewIdle(config)
				n := c.pods * int(churning/time.Second)
				cluster.Add(load.PodLife, n, churning)
				cluster.Add(load.Misfit, int(shareOfMisfit*float64(n)), churning)
				return cluster
			}
			for _, n := range c.samples {
				b.Run(fmt.Sprintf("nodes=%d/part=%d-kubelets", c.nodes, n), func(b *testing.B) {
					for b.Loop() {
						api := part(begin(config.Of(0, n)), impl)
						b.ReportMetric(0, "ns/op")
						b.ReportMetric(rate(api, steady, churning)*float64(c.nodes)/float64(n), "writes/s")
					}
				})
			}
			// The limit of the scheduler's client: 50 requests a second by default, or twice the pods.
			for limit, qps := range map[string]int{"default": 0, "raised": 2 * c.pods} {
				b.Run(fmt.Sprintf("nodes=%d/part=scheduler/limit=%s", c.nodes, limit), func(b *testing.B) {
					scheduler := c.nodes + load.Scheduler
					config := config
					config.QPS = qps
					for b.Loop() {
						api := part(begin(config.Of(scheduler, scheduler+1)), impl)
						b.ReportMetric(rate(api, steady, churning), "writes/s")
						reportDelivery(b, api)
						without := watch(begin(config.Of(scheduler, scheduler)), impl, time.Minute)
						with := watch(begin(config.Of(scheduler, scheduler+1)), impl, time.Minute)
						var worst usage
						for i := range with {
							worst = worst.most(with[i].over(without[i], 1))
						}
						worst.report(b, "worst-")
					}
				})
			}
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

// rate is the mean number of requests in a second between two times.
func rate(api *world.API, from, to time.Duration) float64 {
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
