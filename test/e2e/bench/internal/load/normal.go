// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"fmt"
	"math"
	"time"
)

const day = 24 * time.Hour

// beginNormal begins what goes on every day.
func (c *Cluster) beginNormal() {
	deployments, pods := float64(c.Deployments()), float64(c.Pods())
	scaled := deployments * ShareAutoscaled

	c.arrive(RolloutsPerDay*deployments, day, func() {
		c.begin(&rollout{app: c.someApp(), size: PodsPerDeployment}, 0)
	})
	c.arrive(RescalesPerDay*scaled, day, c.rescale)
	c.arrive(ShareUnready*pods, UnreadyFor, func() { c.beginUnready(0) })
	c.arrive(ShareCrashing*pods, CrashingFor, func() { c.beginCrash(BackOffBase, 0) })
	c.begin(&cronTick{every: 5 * time.Minute, first: 0, jobs: c.cronJobs()}, c.untilTick(5*time.Minute))
	c.begin(&cronTick{every: time.Hour, first: c.cronJobs(), jobs: c.cronJobs()}, c.untilTick(time.Hour))

	// Processes that began before the simulated time.
	for range most(ShareUnready * pods) {
		c.beginUnready(c.within(ProbePeriod))
	}
	for range most(ShareCrashing * pods) {
		c.beginCrash(BackOffMax, c.within(BackOffMax))
	}
	for range most(PendingPerNode * float64(c.Nodes)) {
		c.begin(&pending{pod: c.newPod(c.someApp())}, c.within(PendingRetry))
	}
	for i := range most(ShareWithoutMetric * scaled) {
		c.begin(&blindAutoscaler{app: uint32(i)}, c.within(AutoscalerSync))
	}
}

// most is how many there are of something that there is at least one of.
func most(n float64) int { return max(1, int(math.Round(n))) }

func (c *Cluster) within(d time.Duration) time.Duration { return time.Duration(c.rng.Int64N(int64(d))) }

// untilTick lets the span begin half a tick before the first.
func (c *Cluster) untilTick(every time.Duration) time.Duration { return every / 2 }

func (c Config) cronJobs() int { return most(CronJobsPerNode * float64(c.Nodes) / 2) }

// arrive has something begin n times in each period, on average, at random times.
func (c *Cluster) arrive(n float64, period time.Duration, begin func()) {
	a := &arrivals{mean: time.Duration(float64(period) / n), begin: begin}
	c.begin(a, c.about(a.mean))
}

type arrivals struct {
	mean  time.Duration
	begin func()
}

func (a *arrivals) step(c *Cluster) (time.Duration, bool) {
	a.begin()
	return c.about(a.mean), true
}

// rollout replaces the pods of a Deployment, a wave at a time: the next begins when the last is ready. It waits for the
// registry as long as that takes.
type rollout struct {
	app      uint32
	size     int // in pods
	replaced int
	waiting  int
}

func (r *rollout) step(c *Cluster) (time.Duration, bool) {
	before := r.replaced
	r.replaced += int(WaveShare * float64(r.size))
	wave := r.replaced - before
	r.waiting = wave
	name := fmt.Sprintf("app-%05d", r.app)
	d := c.deployment(r.app)
	c.emit(c.central(DeploymentController), d, scaling,
		fmt.Sprintf("Scaled up replica set %s-v2 from %d to %d", name, before, r.replaced))
	c.emit(c.central(DeploymentController), d, scaling,
		fmt.Sprintf("Scaled down replica set %s-v1 from %d to %d", name, r.size-before, r.size-r.replaced))
	for range wave {
		old := c.newPod(r.app)
		c.emit(c.central(ReplicaSetController), c.replicaSet(r.app), podDeleted, "Deleted pod: "+old.name())
		c.stop(&old)
		c.replace(r.app, RolloutNeedsPull, r.podReady)
	}
	return 0, false
}

func (r *rollout) podReady(c *Cluster, _ *pod) {
	if r.waiting--; r.waiting == 0 && r.replaced < r.size {
		c.begin(r, StartDelay)
	}
}

// replace has the ReplicaSet's controller create a pod.
func (c *Cluster) replace(app uint32, needsPull float64, ready func(*Cluster, *pod)) {
	p := c.newPod(app)
	c.emit(c.central(ReplicaSetController), c.replicaSet(app), podCreated, "Created pod: "+p.name())
	c.start(p, c.chance(needsPull), ready)
}

// rescale is an autoscaler that adds two pods.
func (c *Cluster) rescale() {
	app := c.someApp()
	size := PodsPerDeployment + c.rng.IntN(20)
	c.emit(c.central(Autoscaler), c.autoscaler(app), rescaled,
		fmt.Sprintf("New size: %d; reason: cpu resource utilization (percentage of request) above target", size))
	c.emit(c.central(DeploymentController), c.deployment(app), scaling,
		fmt.Sprintf("Scaled up replica set app-%05d-v1 from %d to %d", app, size-2, size))
	for range 2 {
		c.replace(app, OtherNeedsPull, nil)
	}
}

// blindAutoscaler gets no metrics.
type blindAutoscaler struct{ app uint32 }

func (b *blindAutoscaler) step(c *Cluster) (time.Duration, bool) {
	const why = "failed to get cpu utilization: unable to get metrics for resource cpu: no metrics returned from " +
		"resource metrics API"
	about := c.autoscaler(b.app)
	about.ResourceVersion = "1" // its status says the same each time, so it is not written
	c.emit(c.central(Autoscaler), about, noMetric, why)
	c.emit(c.central(Autoscaler), about, noReplicas, "invalid metrics (1 invalid out of 1), first error is: "+why)
	return AutoscalerSync, true
}
