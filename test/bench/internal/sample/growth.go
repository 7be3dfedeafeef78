// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sample

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"

	eventsprom "github.com/eventseries/eventseries/contrib/prometheus"
	"github.com/eventseries/eventseries/test/bench/internal/contender"
	"github.com/eventseries/eventseries/test/bench/internal/report"
)

// Sweep is one quantity, such as the number of series, at several sizes. What is
// measured at each is for one series or one call, so that only growth changes it.
type Sweep struct {
	Prefix string // of the names of its scenarios, which end with the size
	Sizes  []int
}

// Name is that of the scenario of a size.
func (s Sweep) Name(size int) string { return s.Prefix + fmt.Sprint(size) }

// The sweeps.
var (
	BySeries     = Sweep{"Growth/series=", []int{100, 1_000, 10_000, 100_000, 1_000_000}}
	ByAbandoned  = Sweep{"Growth/series-abandoned=", []int{100, 1_000, 10_000, 100_000, 1_000_000}}
	ByNamespaces = Sweep{"Growth/namespaces=", []int{1, 10, 100, 1_000, 10_000}}
	ByGoroutines = Sweep{"Growth/goroutines=", []int{1, 2, 4, 8, 16, 32, 64}}
)

// inNamespaces is how many series there are, whatever the number of their namespaces.
const inNamespaces = 20_000

func growth() (all []Scenario) {
	counting := []string{report.SDK, report.Floor}
	for _, n := range BySeries.Sizes {
		all = append(all, Scenario{
			Name: BySeries.Name(n), Contenders: counting, config: contender.Config{Series: 2 * n},
			ops: always(n), run: func(c *contender.Contender, ops int, s *Sample) { runSeries(c, ops, n, s) },
		})
	}
	for _, n := range ByAbandoned.Sizes {
		all = append(all, Scenario{
			Name: ByAbandoned.Name(n), Contenders: []string{report.SDK},
			config: contender.Config{Series: 2 * n, Idle: true}, ops: always(n), run: runAbandon,
		})
	}
	for _, n := range ByNamespaces.Sizes {
		all = append(all, Scenario{
			Name: ByNamespaces.Name(n), Contenders: counting, config: contender.Config{Series: 2 * inNamespaces},
			ops: always(inNamespaces), run: func(c *contender.Contender, ops int, s *Sample) { runNamespaces(c, ops, n, s) },
		})
	}
	for _, n := range ByGoroutines.Sizes {
		all = append(all, Scenario{
			Name: ByGoroutines.Name(n), Contenders: append(counting, report.Empty), ops: opsOfGoroutines,
			run: func(c *contender.Contender, ops int, s *Sample) { runGoroutines(c, ops, n, s) },
		})
	}
	return all
}

func always(n int) func(string) int { return func(string) int { return n } }

func opsOfGoroutines(name string) int {
	if name == report.Empty {
		return 50_000_000
	}
	return 1_000_000
}

// manyCalls take long enough to be measured.
const manyCalls = 300_000

// runSeries opens ops series, of size at full scale, repeats them in turn, looks at them,
// and drains.
func runSeries(c *contender.Contender, ops, size int, s *Sample) {
	pods := newPods(ops)
	known := func(i int) { fail(c.Recorder, pods[i%ops]) }
	before := heap()
	opened := measure(c, func(p *pauses) { repeat(c, p, ops, known) })
	s.add((heap()-before)/float64(ops), "heap-B/series")
	s.add(float64(opened.cpu)/float64(ops), "cpu-ns/first")
	s.addCalls(c, ops, max(1, manyCalls/size), known)
	if c.Broadcaster == nil {
		return
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(eventsprom.NewCollector(c.Broadcaster))
	s.add(perSeries(ops, size, func() { c.Broadcaster.Stats() }), "stats-ns/series")
	s.add(perSeries(ops, size, func() { _, _ = registry.Gather() }), "scrape-ns/series") // it cannot fail
	drained := cpu()
	if err := c.Broadcaster.Drain(context.Background()); err != nil {
		panic(err) // a sink in memory answers
	}
	s.add(float64(cpu()-drained)/float64(ops), "drain-ns/series")
}

// addCalls adds what a call costs about series that were opened, in turn: the first one
// after a write of each, which the series must be made ready for, and the later ones. What
// they leave to write is not waited for.
func (s *Sample) addCalls(c *contender.Contender, series, each int, known func(i int)) {
	warmUp(c, series, known)
	calls := func(n int) float64 {
		start := cpu()
		for i := range n {
			known(i)
		}
		return float64(cpu()-start) / float64(n)
	}
	s.add(calls(series), "cpu-ns/woken")
	s.add(calls(series*each), "cpu-ns/op")
}

// perSeries is the time of a look at all series, for one of them.
func perSeries(series, size int, look func()) float64 {
	looks := max(3, manyCalls/10/size)
	start := time.Now()
	for range looks {
		look()
	}
	return float64(time.Since(start)) / float64(looks) / float64(series)
}

// runAbandon drains what was never written, by a broadcaster that was not started.
func runAbandon(c *contender.Contender, ops int, s *Sample) {
	for _, pod := range newPods(ops) {
		fail(c.Recorder, pod)
	}
	start := cpu()
	c.Stop()
	s.add(float64(cpu()-start)/float64(ops), "abandon-ns/series")
}

// runNamespaces opens ops series in so many namespaces, and repeats them in turn.
func runNamespaces(c *contender.Contender, ops, namespaces int, s *Sample) {
	pods := newPods(ops)
	for i, pod := range pods {
		pod.Namespace = fmt.Sprintf("team-%05d", i%namespaces)
	}
	known := func(i int) { fail(c.Recorder, pods[i%ops]) }
	opened := measure(c, func(p *pauses) { repeat(c, p, ops, known) })
	s.add(float64(opened.cpu)/float64(ops), "cpu-ns/first")
	s.addCalls(c, ops, manyCalls/inNamespaces, known)
}

// runGoroutines has so many goroutines make ops calls together, each about objects of its own.
func runGoroutines(c *contender.Contender, ops, goroutines int, s *Sample) {
	pods := newPods(goroutines * each)
	warmUp(c, 2*len(pods), func(i int) { fail(c.Recorder, pods[i%len(pods)]) })
	got := measure(c, func(*pauses) {
		var all sync.WaitGroup
		for g := range goroutines {
			all.Go(func() { callAbout(c, pods[g*each:(g+1)*each], max(1, ops/goroutines)) })
		}
		all.Wait()
	})
	s.addCost(&got, ops)
}

func callAbout(c *contender.Contender, pods []*corev1.Pod, n int) {
	for i := range n {
		fail(c.Recorder, pods[i%len(pods)])
	}
}
