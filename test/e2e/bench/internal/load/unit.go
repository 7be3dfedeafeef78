// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import "time"

// Unit is something that happens in every cluster. Its cost can be multiplied by how often it happens.
type Unit int

const (
	// PodLife is a pod that is scheduled, starts, runs for PodLives, and is deleted. Its images are on the node.
	PodLife Unit = iota
	// Rollout is a new version of a Deployment of RolloutSize pods, with an image that no node has.
	Rollout
	// CrashHour is an hour in which a container crashes again and again.
	CrashHour
	// Misfit is a pod that fits nowhere for MisfitFor. Then it starts.
	Misfit
)

const (
	// PodLives is how long the pod of a PodLife runs.
	PodLives = time.Minute
	// RolloutSize is the number of pods of the Deployment of a Rollout.
	RolloutSize = 100
	// MisfitFor is how long there is no room for the pod of a Misfit.
	MisfitFor = time.Minute
)

// Add adds n units, which begin evenly in a time from now on.
func (c *Cluster) Add(unit Unit, n int, within time.Duration) {
	c.begin(&units{unit: unit, left: n, every: within / time.Duration(n)}, 0)
}

type units struct {
	unit  Unit
	left  int
	every time.Duration
}

func (u *units) step(c *Cluster) (time.Duration, bool) {
	switch u.unit {
	case PodLife:
		c.start(c.newPod(c.someApp()), false, func(c *Cluster, p *pod) { c.begin(&stopping{*p}, PodLives) })
	case Rollout:
		c.begin(&rollout{app: uint32(u.left), size: RolloutSize}, 0)
	case CrashHour:
		c.begin(&crashing{pod: c.newPod(c.someApp()), until: c.now + time.Hour, backOff: BackOffBase}, 0)
	case Misfit:
		c.begin(&pending{pod: c.newPod(c.someApp()), until: c.now + MisfitFor}, 0)
	}
	u.left--
	return u.every, u.left > 0
}
