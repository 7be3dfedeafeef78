// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package counts

import (
	"fmt"
	"math/rand/v2"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/test/bench/internal/world"
)

// CrashLoop is a node on which every container crashes, a second to ten after it
// has started. The intervals are those of kubelet 1.36.
type CrashLoop struct {
	Pods     int
	Duration time.Duration
	Seed     uint64
}

// What kubelet does.
const (
	firstBackOff = 10 * time.Second // doubles with each restart
	maxBackOff   = 5 * time.Minute
	resync       = time.Minute // at most so long until a container in back-off is looked at again
	jitter       = 0.5         // ... and up to so much longer
	relist       = time.Second // how late a crash is noticed, at most
)

func (c CrashLoop) play(api *world.API, contender world.Contender) []*world.Series {
	kubelet := api.NewComponent(contender, world.Identity{Controller: "kubelet", Host: "node-1"})
	var script world.Script
	var all []*world.Series
	for i := range c.Pods {
		rng := rand.New(rand.NewPCG(c.Seed, uint64(i)))
		app := newContainer(kubelet, rng, i)
		script.Add(api.Began().Add(upTo(rng, 5*time.Minute)), app.act)
		all = append(all, app.pulled, app.created, app.started, app.backOff)
	}
	script.Play(api.Began().Add(c.Duration))
	return all
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
	pod := pod(i)
	ref := &corev1.ObjectReference{
		APIVersion: "v1", Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID,
		ResourceVersion: pod.ResourceVersion, FieldPath: "spec.containers{app}",
	}
	series := func(eventType, reason, action string) *world.Series {
		return kubelet.NewSeries(world.Subject{Regarding: ref, Type: eventType, Reason: reason, Action: action})
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

func (c *container) act(now time.Time) time.Time { return c.next(now) }

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
		c.backOffMore()
		return c.pull(now)
	}
	c.backOff.Occur("Back-off restarting failed container %s in pod %s", "app", c.pod)
	left = min(left, resync)
	return now.Add(left + upTo(c.rng, time.Duration(jitter*float64(left))+1))
}

func (c *container) backOffMore() { c.wait = min(max(firstBackOff, 2*c.wait), maxBackOff) }
