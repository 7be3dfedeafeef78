// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/rand/v2"
	"time"
)

const (
	// maxLag is the longest time for which a Warning of a healthy namespace may wait while other
	// namespaces fail.
	maxLag = 30 * time.Second
	// maxPoisonLag is the longest time for which a Warning may wait while Events of other objects
	// in its namespace fail.
	maxPoisonLag = 2 * time.Minute
	// discovery is the longest time until a component knows which namespaces fail.
	discovery = 2 * time.Minute
)

const (
	// isolationObject is the first of the objects whose events show a component which namespaces
	// fail.
	isolationObject = 2000
	// poisonObject is the first of the objects whose events may always fail.
	poisonObject = 1 << 24
)

// namespaceFaults has the faults that all namespaces except one may have.
var namespaceFaults = []faults{
	{kind: unanswered},
	{kind: slow},
	{kind: reset},
	{kind: failing, failure: internalError},
	{kind: failing, failure: priorityAndFairness, retryAfter: 5 * time.Second},
	{kind: failing, failure: eventRateLimit},
	{kind: failing, failure: gatewayTimeout},
}

// isolate makes all namespaces except one fail, and checks the lag in the healthy one.
func (w *world) isolate(args []int) {
	healthy := args[0] % len(namespaces)
	fault := namespaceFaults[args[1]%len(namespaceFaults)]
	fault.scope = scope{except: namespaces[healthy], anyGroup: true}
	w.coverage.add("isolate", fault.kind.String())
	w.beside(fault, args[2], func() {
		w.note("all fail but %s: %v", namespaces[healthy], fault.kind)
		for _, c := range w.tenants() {
			for i := range 3 * len(namespaces) {
				w.record(c, isolationObject+i, i, plain)
			}
		}
		w.pass(discovery)
		for range 5 {
			w.checkLag(w.tenants(), w.newPod(healthy), maxLag)
		}
	})
}

// poison makes the events of some objects fail, as a webhook does that cannot handle their kind,
// and checks the lag of other events in their namespace.
func (w *world) poison(args []int) {
	place := args[0] % len(namespaces)
	fault := faults{kind: failing, failure: internalError, scope: scope{poison: true, anyGroup: true}}
	w.beside(fault, args[2], func() {
		w.note("%d objects of %s always fail", args[1], namespaces[place])
		again := func() {
			for _, c := range w.tenants() {
				for i := range args[1] {
					// The happening 1 is a Warning.
					w.record(c, poisonObject+8*i+place, 1, plain)
				}
			}
		}
		again()
		w.pass(discovery)
		for range 5 {
			again()
			w.checkLag(w.tenants(), w.newPod(place), maxPoisonLag)
			w.pass(time.Minute)
		}
	})
}

// beside calls check during a fault. When the fault begins, all components are healthy.
func (w *world) beside(fault faults, seed int, check func()) {
	policy := w.policy
	w.endFaults()
	w.pass(namespaceDelay + adapterDelay)
	fault.percent, fault.latency, fault.began = 100, 20*time.Millisecond, time.Now()
	fault.random = rand.New(rand.NewPCG(w.script.Seed, uint64(seed)))
	w.faults = fault
	w.server.set(func() { w.server.retryAfter = int(fault.retryAfter / time.Second) })
	check()
	w.faults, w.policy = noFaults(rand.New(rand.NewPCG(w.script.Seed, uint64(seed)))), policy
	w.replanAnswers()
}

// newPod returns the number of a pod of a namespace that has no events yet.
func (w *world) newPod(place int) int { return 8*(isolationObject+w.emitted) + place }

// tenants returns the components that can write without a rate limit of their client.
func (w *world) tenants() (all []*component) {
	for _, c := range w.slots {
		if c.started && !c.ending && c.config.QPS == 0 {
			all = append(all, c)
		}
	}
	return all
}

// checkLag makes components record a Warning about a new object, and checks that it is written or
// dropped in time.
func (w *world) checkLag(all []*component, object int, lag time.Duration) {
	said := time.Now()
	for _, c := range all {
		// The happening 1 is a Warning.
		w.record(c, object, 1, plain)
	}
	pending := func(c *component) bool {
		of := c.counts.bucketOf(w.reference(object), happenings[1].eventType, happenings[1].reason)
		return c.counts.ackedIn[of]+c.counts.droppedIn(of) < c.counts.emitted[of]
	}
	w.passUntil(said.Add(lag), func() bool {
		for _, c := range all {
			if pending(c) {
				return false
			}
		}
		return true
	})
	for _, c := range all {
		if pending(c) && !c.ending {
			w.fail("lag: a Warning of %s that does not fail waits for more than %v beside failing ones", c.name, lag)
		}
	}
}
