// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/rand/v2"
	"time"

	"github.com/eventseries/eventseries/test/sim/apiserver"
)

// How long a Warning of a healthy namespace may wait beside failing ones, and how long a component may take to find out
// which namespaces fail.
const (
	maxLag    = 30 * time.Second
	discovery = 2 * time.Minute
)

// isolationObject is the first of the objects that events are recorded about to find out which namespaces fail.
const isolationObject = 2000

// namespaceFaults are the faults that all namespaces but one may have.
var namespaceFaults = []faults{
	{kind: unanswered},
	{kind: slow},
	{kind: reset},
	{kind: failing, failure: apiserver.InternalError},
	{kind: failing, failure: apiserver.PriorityAndFairness, retryAfter: 5 * time.Second},
	{kind: failing, failure: apiserver.EventRateLimit},
	{kind: failing, failure: apiserver.GatewayTimeout},
}

// isolate makes all namespaces but one fail, and checks the lag of the healthy one.
func (w *world) isolate(args []int) {
	policy := w.policy
	w.endFaults()
	w.pass(namespaceDelay + adapterDelay)
	healthy := args[0] % len(namespaces)
	w.faults = namespaceFaults[args[1]%len(namespaceFaults)]
	w.faults.scope = scope{except: namespaces[healthy], anyGroup: true}
	w.faults.percent, w.faults.latency, w.faults.began = 100, 20*time.Millisecond, time.Now()
	w.faults.random = rand.New(rand.NewPCG(w.script.Seed, uint64(args[2])))
	w.server.SetRetryAfter(int(w.faults.retryAfter / time.Second))
	w.note("all fail but %s: %v", namespaces[healthy], w.faults.kind)
	w.coverage.add("isolate", w.faults.kind.String())
	for _, c := range w.tenants() {
		for i := range 3 * len(namespaces) {
			w.record(c, isolationObject+i, i, plain)
		}
	}
	w.pass(discovery)
	for range 5 {
		w.checkLag(8*(isolationObject+w.emitted) + healthy) // a new pod: others of each eight objects are none
	}
	w.faults, w.policy = noFaults(rand.New(rand.NewPCG(w.script.Seed, uint64(args[2])))), policy
	w.replanAnswers()
}

// tenants returns the components that could write at once. A client with a rate limit has a queue of its own.
func (w *world) tenants() (all []*component) {
	for _, c := range w.slots {
		if c.started && !c.ending && c.config.QPS == 0 {
			all = append(all, c)
		}
	}
	return all
}

// checkLag lets every component record an event about a new object, and checks that it is written or dropped in time.
func (w *world) checkLag(object int) {
	said := time.Now()
	all := w.tenants()
	for _, c := range all {
		w.record(c, object, 1, plain) // a Warning
	}
	pending := func(c *component) bool {
		of := c.counts.bucketOf(w.reference(object), happenings[1].eventType, happenings[1].reason)
		return c.counts.ackedIn[of]+c.counts.droppedIn(of) < c.counts.emitted[of]
	}
	w.passUntil(said.Add(maxLag), func() bool {
		for _, c := range all {
			if pending(c) {
				return false
			}
		}
		return true
	})
	for _, c := range all {
		if pending(c) && !c.ending {
			w.fail("lag: a Warning of %s in a healthy namespace waits for more than %v beside failing ones",
				c.name, maxLag)
		}
	}
}
