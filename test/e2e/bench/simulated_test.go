// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/test/e2e/bench/internal/world"
)

// scenario is what happens, whoever records it. It plays in simulated time and returns the series in the same order for
// every contender.
type scenario func(*world.API, world.Contender) []*world.Series

// outcome is what came of a scenario.
type outcome struct {
	totals  world.Totals
	doubled time.Duration // the longest time until a doubled count was shown
	series  []world.Tally
}

func observe(s scenario, impl string) (out outcome) {
	world.Simulate(func() {
		api := world.NewAPI()
		series := s(api, world.Contenders[impl])
		api.Finish()
		doublings := api.Doublings()
		out = outcome{totals: api.Totals(), doubled: doublings.Max()}
		for _, one := range series {
			out.series = append(out.series, one.Tally())
		}
	})
	return out
}

// simulate reports what each contender makes of a scenario.
func simulate(b *testing.B, s scenario) {
	each(b, func(b *testing.B, impl string) {
		for b.Loop() {
			out := observe(s, impl)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(out.totals.Occurrences), "occurrences")
			b.ReportMetric(float64(out.totals.Writes()), "writes")
			b.ReportMetric(float64(out.totals.Creates), "creates")
			b.ReportMetric(float64(out.totals.Events), "events")
			b.ReportMetric(float64(out.totals.Lost()), "lost")
			b.ReportMetric(100*float64(out.totals.Series-out.totals.Inexact)/float64(out.totals.Series), "%exact")
			b.ReportMetric(out.doubled.Seconds(), "doubled-seconds")
			if impl == sdk {
				b.ReportMetric(out.excess(observe(s, literal)), "excess-writes/log2(count)")
			}
		}
	})
}

// excess is by how much o writes more than literal, in the series where that is most compared with the logarithm of the
// count.
func (o outcome) excess(literal outcome) float64 {
	worst := math.Inf(-1)
	for i, s := range o.series {
		if s.Occurrences > 1 {
			worst = max(worst, float64(s.Writes()-literal.series[i].Writes())/math.Log2(float64(s.Occurrences)))
		}
	}
	return worst
}

// BenchmarkStorm is a scheduler in a full cluster for an hour. It finds no node for any of 10,000 pods, and records
// that for each of them every minute, give or take five seconds.
func BenchmarkStorm(b *testing.B) {
	simulate(b, func(api *world.API, by world.Contender) (all []*world.Series) {
		scheduler := api.NewComponent(by, world.Identity{Controller: "default-scheduler", Host: "control-plane-1"})
		rng := rand.New(rand.NewPCG(0, 1))
		var script world.Script
		for i := range size(10_000) {
			series := scheduler.Series(world.Subject{
				Regarding: defaultPod(i), Type: corev1.EventTypeWarning, Reason: "FailedScheduling", Action: "Scheduling",
			})
			all = append(all, series)
			script.Add(api.Began().Add(upTo(rng, time.Minute)), func(now time.Time) time.Time {
				// kube-scheduler's message has the number of nodes in it, by reason why they do not fit.
				cordoned := int(now.Sub(api.Began())/(5*time.Minute))%7 + 1
				series.Occur("0/5000 nodes are available: %d Insufficient cpu, %d node(s) were unschedulable. "+
					"preemption: 0/5000 nodes are available: %d No preemption victims found for incoming pod.",
					5000-cordoned, cordoned, 5000-cordoned)
				return now.Add(time.Minute - 5*time.Second + upTo(rng, 10*time.Second))
			})
		}
		script.Play(api.Began().Add(time.Hour))
		return all
	})
}

func defaultPod(i int) *corev1.Pod {
	pod := newPod(i)
	pod.Namespace = "default"
	return pod
}

func upTo(rng *rand.Rand, d time.Duration) time.Duration { return time.Duration(rng.Int64N(int64(d))) }

// The behaviour of kubelet 1.36.
const (
	firstBackOff = 10 * time.Second // doubles with each restart
	maxBackOff   = 5 * time.Minute
	resync       = time.Minute // at most so long until a container in back-off is looked at again
	jitter       = 0.5         // ... and up to so much longer
	relist       = time.Second // how late a crash is noticed, at most
)

// BenchmarkCrashLoop is a node for a day on which every container of 110 pods crashes, a second to ten after it has
// started.
func BenchmarkCrashLoop(b *testing.B) {
	pods, span := 110, 24*time.Hour
	if testing.Short() {
		pods, span = 2, time.Hour
	}
	simulate(b, func(api *world.API, by world.Contender) (all []*world.Series) {
		kubelet := api.NewComponent(by, world.Identity{Controller: "kubelet", Host: "node-1"})
		var script world.Script
		for i := range pods {
			rng := rand.New(rand.NewPCG(0, uint64(i)))
			c := newContainer(kubelet, rng, i)
			script.Add(api.Began().Add(upTo(rng, 5*time.Minute)), func(now time.Time) time.Time { return c.next(now) })
			all = append(all, c.pulled, c.created, c.started, c.backOff)
		}
		script.Play(api.Began().Add(span))
		return all
	})
}

// container is the only one of its pod.
type container struct {
	rng                               *rand.Rand
	image, pod                        string
	pulled, created, started, backOff *world.Series

	next    world.Act
	crashed time.Time
	wait    time.Duration // the back-off; none before the first restart
}

func newContainer(kubelet *world.Component, rng *rand.Rand, i int) *container {
	pod := defaultPod(i)
	ref := &corev1.ObjectReference{
		APIVersion: "v1", Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID,
		ResourceVersion: pod.ResourceVersion, FieldPath: "spec.containers{app}",
	}
	series := func(eventType, reason, action string) *world.Series {
		return kubelet.Series(world.Subject{Regarding: ref, Type: eventType, Reason: reason, Action: action})
	}
	c := &container{
		rng:     rng,
		image:   fmt.Sprintf("registry.example.com/team-%d/app:1.4.%d", i%7, i),
		pod:     fmt.Sprintf("%s_%s(%s)", pod.Name, pod.Namespace, pod.UID),
		pulled:  series(corev1.EventTypeNormal, "Pulled", "Pulling"),
		created: series(corev1.EventTypeNormal, "Created", "Creating"),
		started: series(corev1.EventTypeNormal, "Started", "Starting"),
		backOff: series(corev1.EventTypeWarning, "BackOff", "Restarting"),
	}
	c.next = c.pull
	return c
}

func (c *container) pull(now time.Time) time.Time {
	c.pulled.Occur("Container image %q already present on machine and can be accessed by the pod", c.image)
	c.next = c.create
	return now.Add(upTo(c.rng, 50*time.Millisecond))
}

func (c *container) create(now time.Time) time.Time {
	c.created.Occur("Container created")
	c.next = c.run
	return now.Add(upTo(c.rng, 200*time.Millisecond))
}

// run plans the crash, and the sync by which kubelet notices it.
func (c *container) run(now time.Time) time.Time {
	c.started.Occur("Container started")
	c.crashed = now.Add(time.Second + upTo(c.rng, 9*time.Second))
	c.next = c.sync
	return c.crashed.Add(upTo(c.rng, relist))
}

// sync starts the container again, if it has backed off long enough.
func (c *container) sync(now time.Time) time.Time {
	left := c.crashed.Add(c.wait).Sub(now)
	if left <= 0 {
		c.wait = min(max(firstBackOff, 2*c.wait), maxBackOff)
		return c.pull(now)
	}
	c.backOff.Occur("Back-off restarting failed container %s in pod %s", "app", c.pod)
	left = min(left, resync)
	return now.Add(left + upTo(c.rng, time.Duration(jitter*float64(left))+1))
}
