// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/test/e2e/bench/internal/load"
	"github.com/eventseries/eventseries/test/e2e/bench/internal/world"
)

// cluster has 5,000 nodes.
func cluster(bad bool) load.Config { return clusterOf(5_000, bad) }

func clusterOf(nodes int, bad bool) load.Config {
	c := load.Config{Nodes: nodes, PodsPerNode: 110, Span: time.Hour, Seed: 1, Bad: bad}
	if testing.Short() {
		c.Nodes, c.PodsPerNode = 9, 20
	}
	return c
}

// BenchmarkDay has a contender in every component of a cluster, for an hour of a normal and of a bad day.
func BenchmarkDay(b *testing.B) {
	each(b, func(b *testing.B, impl string) {
		for name, config := range map[string]load.Config{"normal": cluster(false), "bad": cluster(true)} {
			b.Run("day="+name, func(b *testing.B) {
				for b.Loop() {
					d := &day{impl: impl, config: config}
					world.Simulate(d.pass)
					d.report(b)
				}
			})
		}
	})
}

// day is what became of one.
type day struct {
	impl               string
	config             load.Config
	api                *world.API
	goroutines, stored int // the most that there were, looked at every minute
}

// pass lets the day pass. It must be called in a bubble.
func (d *day) pass() {
	d.api = world.NewAPI()
	play(d.api, load.New(d.config), d.impl, time.Minute, func() {
		d.goroutines, d.stored = max(d.goroutines, runtime.NumGoroutine()), max(d.stored, d.api.Stored())
	})
}

// play has the components of a cluster record what happens, and lets them deliver it. It calls look at the end of each
// interval.
func play(api *world.API, cluster *load.Cluster, impl string, interval time.Duration, look func()) {
	first, _ := cluster.Recording()
	components := startComponents(api, impl, cluster.Config)
	cluster.Play(api.Began(), interval, look, func(e *load.Emission) { occur(components[e.Component-first], e) })
	api.Finish() // a bubble ends when all its goroutines have
}

// startComponents starts those that record.
func startComponents(api *world.API, impl string, config load.Config) (all []*world.Component) {
	first, end := config.Recording()
	for i, c := range config.Components()[first:end] {
		all = append(all, api.NewComponent(contenderFor(impl, c.Name), world.Identity{
			Controller: c.Name, Host: c.Host, QPS: c.QPS, Burst: c.Burst,
			Cut: func(now time.Time) bool { return config.Cut(first+i, now.Sub(api.Began())) },
		}))
	}
	return all
}

// contenderFor is the recorder of a component.
func contenderFor(impl, component string) world.Contender {
	switch {
	case impl == today && component == load.SchedulerName:
		impl = toolsEvents
	case impl == today:
		impl = toolsRecord
	}
	return world.Contenders[impl]
}

// occur calls Eventf as the component would.
func occur(c *world.Component, e *load.Emission) {
	o := &e.Regarding
	regarding := &corev1.ObjectReference{
		APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name, UID: types.UID(o.UID),
		ResourceVersion: o.ResourceVersion, FieldPath: o.FieldPath,
	}
	s := c.Series(world.Subject{Regarding: regarding, Type: e.Type, Reason: e.Reason, Action: e.Action})
	s.Regarding = regarding // as it is now: its resourceVersion may have changed
	s.Occur(e.Note)
}

// The demands: how soon 99 of 100 first occurrences are to be stored, of those that the clients can send by then.
const (
	warningsWithin = 10 * time.Second
	allWithin      = 30 * time.Second
)

func (d *day) report(b *testing.B) {
	b.ReportMetric(0, "ns/op")
	span := int(d.config.Span / time.Second)
	seconds := append(d.api.Seconds(), make([]int, span)...)[:span]
	busiest := 0 // of the stretches of five minutes
	for i := range len(seconds) - 300 {
		busiest = max(busiest, sum(seconds[i:i+300]))
	}
	b.ReportMetric(float64(busiest)/300, "busy-writes/s")
	b.ReportMetric(float64(sum(seconds))/float64(len(seconds)), "mean-writes/s")
	slices.Sort(seconds)
	b.ReportMetric(float64(seconds[(len(seconds)*99+99)/100-1]), "p99-writes/s")
	b.ReportMetric(float64(seconds[len(seconds)-1]), "peak-writes/s")
	totals, delays := d.api.Totals(), d.api.Delays()
	b.ReportMetric(float64(totals.Writes()), "writes")
	b.ReportMetric(100*float64(totals.Lost())/float64(totals.Occurrences), "%lost")
	b.ReportMetric(100*float64(totals.Inexact)/float64(totals.Series), "%wrong")
	b.ReportMetric(delays.Quantile(0.5).Seconds(), "count-p50-seconds")
	b.ReportMetric(delays.Quantile(0.99).Seconds(), "count-p99-seconds")
	for name, f := range map[string]*world.Firsts{
		"warning": d.api.Firsts(true, warningsWithin), "first": d.api.Firsts(false, allWithin),
	} {
		b.ReportMetric(f.Took.Quantile(0.5).Seconds(), name+"-p50-seconds")
		b.ReportMetric(f.Took.Quantile(0.99).Seconds(), name+"-p99-seconds")
		b.ReportMetric(f.Ideal.Quantile(0.99).Seconds(), name+"-ideal-p99-seconds")
		b.ReportMetric(100*float64(f.InTime.Count())/float64(f.Took.Count()), "%"+name+"-in-time")
		b.ReportMetric(f.InTime.Quantile(0.99).Seconds(), name+"-in-time-p99-seconds")
	}
	b.ReportMetric(float64(d.goroutines), "goroutines")
	b.ReportMetric(float64(d.stored), "stored")
}

func sum(numbers []int) (n int) {
	for _, one := range numbers {
		n += one
	}
	return n
}

// usage is what lives in the process.
type usage struct{ heap, stacks, goroutines float64 }

func use() usage {
	live := heap()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return usage{live, float64(m.StackInuse), float64(runtime.NumGoroutine())}
}

// over is what one of n components uses more than before.
func (u usage) over(before usage, n int) usage {
	each := func(now, before float64) float64 { return (now - before) / float64(n) }
	return usage{
		each(u.heap, before.heap), each(u.stacks, before.stacks), each(u.goroutines, before.goroutines),
	}
}

func (u usage) most(v usage) usage {
	return usage{max(u.heap, v.heap), max(u.stacks, v.stacks), max(u.goroutines, v.goroutines)}
}

func (u usage) report(b *testing.B, prefix string) {
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(u.heap, prefix+"heap-bytes")
	b.ReportMetric(u.stacks, prefix+"stacks-bytes")
	b.ReportMetric(u.goroutines, prefix+"goroutines")
}

// BenchmarkSize has a contender in every component of clusters of the sizes that KEP-383 names in its test plan.
func BenchmarkSize(b *testing.B) {
	each(b, func(b *testing.B, impl string) {
		for _, nodes := range []int{50, 500, 5_000} {
			for name, bad := range map[string]bool{"normal": false, "bad": true} {
				b.Run(fmt.Sprintf("nodes=%d/day=%s", nodes, name), func(b *testing.B) {
					for b.Loop() {
						d := &day{impl: impl, config: clusterOf(nodes, bad)}
						world.Simulate(d.pass)
						d.report(b)
					}
				})
			}
			components(b, impl, clusterOf(nodes, true), fmt.Sprintf("nodes=%d/", nodes))
		}
	})
}

// BenchmarkComponent is what components hold while a bad day goes by, looked at every five minutes. The server keeps
// nothing, and the model's own memory is that of a day without components.
func BenchmarkComponent(b *testing.B) {
	each(b, func(b *testing.B, impl string) { components(b, impl, cluster(true), "") })
}

// components measures a kubelet and the scheduler.
func components(b *testing.B, impl string, config load.Config, prefix string) {
	kubelets := min(300, config.Nodes) // enough for a mean
	for name, of := range map[string][2]int{
		"kubelet": {0, kubelets}, "scheduler": {config.Nodes + load.Scheduler, config.Nodes + load.Scheduler + 1},
	} {
		b.Run(prefix+"component="+name, func(b *testing.B) {
			for b.Loop() {
				without := watch(load.New(config.Of(of[0], of[0])), impl, watching)
				with := watch(load.New(config.Of(of[0], of[1])), impl, watching)
				var calm, worst usage
				for i := range with {
					one := with[i].over(without[i], of[1]-of[0])
					worst = worst.most(one)
					if at := time.Duration(i+1) * watching; at <= config.TroubleFrom() {
						calm = calm.most(one)
					}
				}
				calm.report(b, "calm-")
				worst.report(b, "worst-")
			}
		})
	}
}

const watching = 5 * time.Minute

// watch has the components of a cluster record what happens, and samples what they use.
func watch(cluster *load.Cluster, impl string, interval time.Duration) (samples []usage) {
	world.Simulate(func() {
		play(world.NewForgetfulAPI(), cluster, impl, interval, func() { samples = append(samples, use()) })
	})
	return samples
}

// BenchmarkSilence is what the broadcasters of a cluster cost that has nothing to say any more. Each has said one thing
// before.
func BenchmarkSilence(b *testing.B) {
	config := cluster(false)
	each(b, func(b *testing.B, impl string) {
		for b.Loop() {
			var alive usage
			var cpu time.Duration
			world.Simulate(func() {
				before, api := use(), world.NewForgetfulAPI()
				for n, c := range startComponents(api, impl, config.Of(0, config.Nodes)) {
					name := fmt.Sprintf("pod-%d", n)
					occur(c, &load.Emission{
						Regarding: load.Object{APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: name, UID: name},
						What:      load.What{Type: "Normal", Reason: "Started", Action: "Starting"}, Note: "Container started",
					})
				}
				time.Sleep(15 * time.Minute) // longer than the 12 minutes of tools/events to forget a series
				began := cpuTime()
				time.Sleep(time.Hour)
				cpu, alive = cpuTime()-began, use().over(before, config.Nodes)
				api.Finish()
			})
			alive.report(b, "")
			b.ReportMetric(cpu.Seconds(), "cpu-seconds")
		}
	})
}

// Of what is recorded through the SDK nothing is lost, not even of a zone that is cut off, and every count is right.
//
// Caught: WithMaxSeries(20); a model whose first minute is not counted.
func TestDaysConserve(t *testing.T) {
	for _, bad := range []bool{false, true} {
		config := load.Config{Nodes: 9, PodsPerNode: 20, Span: time.Hour, Seed: 1, Bad: bad}
		d := &day{impl: sdk, config: config}
		synctest.Test(t, func(*testing.T) { d.pass() })
		if got := d.api.Totals(); got.Lost() != 0 || got.Inexact != 0 || got.Occurrences < 1000 {
			t.Errorf("bad %v: %v", bad, got)
		}
	}
}
