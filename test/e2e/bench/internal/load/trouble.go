// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"fmt"
	"time"
)

// unready is a pod whose readiness probe fails for a while.
type unready struct {
	pod
	until    time.Duration
	failures int
}

func (c *Cluster) beginUnready(after time.Duration) {
	c.begin(&unready{pod: c.oldPod(), until: c.now + after + c.about(UnreadyFor)}, after)
}

func (u *unready) step(c *Cluster) (time.Duration, bool) {
	if c.now > u.until {
		return 0, false
	}
	c.emit(u.node, c.container(&u.pod, 0), unhealthy, "Readiness probe failed: HTTP probe failed with statuscode: 503")
	if u.failures++; u.failures == FailureThreshold {
		u.version++
	}
	return ProbePeriod, true
}

// crashing is a container that exits soon after each start.
type crashing struct {
	pod
	until   time.Duration
	backOff time.Duration // before the next start
	next    time.Duration // when that is
	running bool
}

func (c *Cluster) beginCrash(backOff, after time.Duration) {
	p := c.oldPod()
	c.begin(&crashing{pod: p, until: c.now + after + c.about(CrashingFor), backOff: backOff}, after)
}

func (k *crashing) step(c *Cluster) (time.Duration, bool) {
	about := c.container(&k.pod, 0)
	switch {
	case k.running:
		k.running = false
		k.version += 2 // terminated, then waiting
		k.next = c.now + k.backOff
		k.backOff = min(2*k.backOff, BackOffMax)
	case c.now > k.until:
		return 0, false
	case c.now >= k.next:
		c.emit(k.node, about, pulled, fmt.Sprintf("Container image %q already present on machine", "app"))
		c.emit(k.node, about, created, "Container created")
		c.emit(k.node, about, started, "Container started")
		k.running = true
		k.version++
		return CrashTakes, true
	}
	about.ResourceVersion = c.podObject(&k.pod).ResourceVersion
	c.emit(k.node, about, backOffRestart, "Back-off restarting failed container main in pod "+k.name())
	return c.jittered(min(max(k.next-c.now, 0), CrashSync)), true
}

// pending is a pod that fits nowhere. The scheduler tries again and again, as soon as it gets to it.
type pending struct {
	pod
	until   time.Duration // when there is room; zero for never
	tries   int
	short   int  // nodes without CPU, as last said in the pod's condition
	waiting bool // for the scheduler
}

func (p *pending) step(c *Cluster) (time.Duration, bool) {
	if !p.waiting {
		p.waiting = true
		return c.schedule(), true
	}
	p.waiting = false
	if p.until > 0 && c.now >= p.until {
		p.node = c.someNode()
		c.start(p.pod, c.chance(OtherNeedsPull), nil)
		return 0, false
	}
	// How many nodes lack what changes with what else goes on.
	short := 1 + c.rng.IntN(4)
	c.emit(c.central(Scheduler), c.podObject(&p.pod), failedScheduling,
		fmt.Sprintf("0/%d nodes are available: %d Insufficient cpu, %d Too many pods. preemption: 0/%d nodes are "+
			"available: %d No preemption victims found for incoming pod.",
			c.Nodes, short, c.Nodes-short, c.Nodes, c.Nodes))
	if short != p.short { // the pod's condition is written only when it changes
		p.short = short
		p.version++
	}
	p.tries++
	return min(BackOffBase<<min(p.tries-1, 3), PendingRetry), true
}
