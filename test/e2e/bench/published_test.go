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

// BenchmarkPublished simulates clusters of which somebody has published how many Events they write. Their components
// record as those of Kubernetes do today.
func BenchmarkPublished(b *testing.B) {
	if testing.Short() {
		b.Skip("-short: minutes")
	}
	each(b, func(b *testing.B, impl string) {
		// kubernetes-sigs/agent-sandbox#1283, with the throughputs of #1264.
		for _, pods := range []int{60, 91} {
			b.Run(fmt.Sprintf("cluster=sandbox/pods=%d", pods), func(b *testing.B) {
				for b.Loop() {
					w := watchWrites(lives(20, pods*300, 5*time.Minute), impl, 2*time.Minute, 5*time.Minute)
					b.ReportMetric(0, "ns/op")
					b.ReportMetric(float64(w.creates-w.reasons["Scheduled"])/180, "kubelet-writes/s")
				}
			})
		}
		// kubernetes/kubernetes#141022. The number of nodes is not published.
		b.Run("cluster=scale-test", func(b *testing.B) {
			for b.Loop() {
				const settling = load.PodLives + 5*time.Second // then as many pods end as begin
				n := 50_000 * int(settling+5*time.Minute) / int(5*time.Minute)
				w := watchWrites(lives(1_000, n, settling+5*time.Minute), impl, settling, settling+5*time.Minute)
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(w.creates), "events")
				b.ReportMetric(float64(w.reasons["Killing"]), "killing")
				b.ReportMetric(float64(w.reasons["Scheduled"]), "scheduled")
				b.ReportMetric(float64(w.reasons["Pulled"]+w.reasons["Created"]+w.reasons["Started"]), "starts")
			}
		})
		// kubernetes/kubernetes#47367, the first scenario.
		b.Run("cluster=crash-loops", func(b *testing.B) {
			for b.Loop() {
				cluster := load.NewIdle(load.Config{Nodes: 1, PodsPerNode: 110, Containers: 1, Span: time.Hour, Seed: 1})
				cluster.Add(load.CrashHour, 50, time.Second)
				tail := watchWrites(cluster, impl, 30*time.Minute, time.Hour)
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(tail.patches)/(30*60), "patches/s")
			}
		})
	})
}

// lives returns a cluster in which pods of one container come and go.
func lives(nodes, n int, within time.Duration) *load.Cluster {
	cluster := load.NewIdle(load.Config{
		Nodes: nodes, PodsPerNode: 110, Containers: 1, Span: within, Seed: 1, SchedulerRate: 1_000,
	})
	cluster.Add(load.PodLife, n, within)
	return cluster
}

// writes are those of a time, and the reasons of the Events that were created.
type writes struct {
	creates, patches int
	reasons          map[string]int
}

// watchWrites has all components record what happens in a cluster, and counts the writes between two times.
func watchWrites(cluster *load.Cluster, impl string, from, to time.Duration) writes {
	w := writes{reasons: map[string]int{}}
	world.Simulate(func() {
		api := world.NewAPI()
		api.Applied = func(r world.Request) {
			if now := time.Since(api.Began()); now < from || now >= to {
				return
			}
			if r.Patch != nil {
				w.patches++
				return
			}
			w.creates++
			w.reasons[r.Event.Reason]++
		}
		play(api, cluster, impl, cluster.Span, func() {})
	})
	return w
}
