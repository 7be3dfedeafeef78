// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"cmp"
	"fmt"
	"time"
)

// podStart takes a pod from its creation to running: the scheduler assigns it, then each container's image is pulled or
// found, and the container created and started. While the registry is down a pull is tried again and again.
type podStart struct {
	pod
	needsPull bool // of the first container
	ready     func(*Cluster, *pod)

	stage   stage
	at      int           // the container
	backOff time.Duration // between two pulls
	retry   time.Duration // when the next pull may be tried
}

type stage int

const (
	toSchedule stage = iota
	toBind
	toPull
	toReceive
	toCreate
	toStart
)

// start begins a pod; ready may be nil.
func (c *Cluster) start(p pod, needsPull bool, ready func(*Cluster, *pod)) {
	c.begin(&podStart{pod: p, needsPull: needsPull, ready: ready}, 0)
}

func (s *podStart) step(c *Cluster) (time.Duration, bool) {
	switch s.stage {
	case toSchedule:
		s.stage = toBind
		return c.schedule(), true
	case toBind:
		s.stage = toPull
		c.emit(c.central(Scheduler), c.podObject(&s.pod), scheduled,
			fmt.Sprintf("Successfully assigned %s/%s to %s", c.namespace(s.app), s.name(), nodeName(s.node)))
		s.version++
	case toPull:
		if s.needsPull && s.at == 0 {
			return s.pull(c)
		}
		s.stage = toCreate
		s.say(c, pulled, fmt.Sprintf("Container image %q already present on machine", s.image()))
	case toReceive:
		return s.receive(c)
	case toCreate:
		s.stage = toStart
		s.say(c, created, "Container created")
	case toStart:
		s.say(c, started, "Container started")
		if s.at++; s.at < s.containers {
			s.stage = toPull
			break
		}
		if s.ready != nil {
			s.version++
			s.ready(c, &s.pod)
		}
		return 0, false
	}
	return StartDelay, true
}

// pull tries to get the image, unless it is too soon for that.
func (s *podStart) pull(c *Cluster) (time.Duration, bool) {
	if c.now < s.retry {
		s.say(c, backOffPull, fmt.Sprintf("Back-off pulling image %q", s.image()))
		s.say(c, failedStart, "Error: ImagePullBackOff")
		return c.jittered(ImageSync), true
	}
	s.say(c, pulling, fmt.Sprintf("Pulling image %q", s.image()))
	s.stage = toReceive
	return PullTakes, true
}

func (s *podStart) receive(c *Cluster) (time.Duration, bool) {
	if !c.RegistryDown(c.now) {
		s.stage = toCreate
		s.say(c, pulled, fmt.Sprintf("Successfully pulled image %q in 5.012s (5.012s including waiting). "+
			"Image size: 104857600 bytes.", s.image()))
		return StartDelay, true
	}
	s.stage = toPull
	s.say(c, failedPull, fmt.Sprintf("Failed to pull image %q: failed to resolve reference: dial tcp 10.0.0.7:443: "+
		"i/o timeout", s.image()))
	s.say(c, failedStart, "Error: ErrImagePull")
	if s.backOff == 0 {
		s.version++ // waiting: ErrImagePull, then ImagePullBackOff
		s.backOff = BackOffBase
	} else {
		s.backOff = min(2*s.backOff, BackOffMax)
	}
	s.retry = c.now + s.backOff
	return c.jittered(ImageSync), true
}

func (s *podStart) say(c *Cluster, what What, note string) {
	c.emit(s.node, c.container(&s.pod, s.at), what, note)
}

func (s *podStart) image() string { return fmt.Sprintf("registry.example.com/team/app-%05d:v2", s.app) }

// schedule says when the scheduler, which looks at one pod after another, gets to one more.
func (c *Cluster) schedule() time.Duration {
	rate := cmp.Or(c.SchedulerRate, SchedulerRate)
	c.schedulerFree = max(c.schedulerFree, c.now) + time.Second/time.Duration(rate)
	return c.schedulerFree - c.now
}

// stop is what is said when a pod is deleted.
func (c *Cluster) stop(p *pod) {
	for n := range p.containers {
		c.emit(p.node, c.container(p, n), killing, "Stopping container "+containerPaths[n][16:len(containerPaths[n])-1])
	}
}
