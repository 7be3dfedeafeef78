// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/rand/v2"
	"time"

	"github.com/eventseries/eventseries/test/sim/apiserver"
)

// How long a Warning of a healthy namespace may wait beside sick ones, and how long
// a component gets to find out who is sick.
const (
	healthyLag = 30 * time.Second
	discovery  = 2 * time.Minute
)

// tenant is the first of the objects that show who is sick.
const tenant = 2000

// sicknesses are what all namespaces but one may have.
var sicknesses = []weather{
	{kind: calm},
	{kind: slow},
	{kind: reset},
	{kind: failing, failure: apiserver.InternalError},
	{kind: failing, failure: apiserver.PriorityAndFairness, retryAfter: 5 * time.Second},
	{kind: failing, failure: apiserver.EventRateLimit},
	{kind: failing, failure: apiserver.GatewayTimeout},
}

// sicken makes all namespaces but one sick, and holds the lag of that one.
func (w *world) sicken(args []int) {
	policy := w.policy
	w.mend()
	w.pass(terminating + learning)
	well := args[0] % len(namespaces)
	w.weather = sicknesses[args[1]%len(sicknesses)]
	w.weather.scope = scope{except: namespaces[well], anyGroup: true}
	w.weather.percent, w.weather.latency, w.weather.began = 100, 20*time.Millisecond, time.Now()
	w.weather.random = rand.New(rand.NewPCG(w.script.Seed, uint64(args[2])))
	w.server.SetRetryAfter(int(w.weather.retryAfter / time.Second))
	w.note("sick but for %s: %v", namespaces[well], w.weather.kind)
	w.census.add("sick", w.weather.kind.String())
	for _, c := range w.tenants() {
		for i := range 3 * len(namespaces) {
			w.record(c, tenant+i, i, plain)
		}
	}
	w.pass(discovery)
	for range 5 {
		w.checkLag(8*(tenant+w.emitted) + well) // a new pod: every eighth object is a node, or a part of a pod
	}
	w.weather, w.policy = clearSky(rand.New(rand.NewPCG(w.script.Seed, uint64(args[2])))), policy
	w.replan()
}

// tenants are the components that could write at once: a limited client has a queue
// of its own.
func (w *world) tenants() (all []*component) {
	for _, c := range w.slots {
		if c.started && !c.ending && c.config.QPS == 0 {
			all = append(all, c)
		}
	}
	return all
}

// checkLag has all record something about a new object, which is dealt with in time.
func (w *world) checkLag(object int) {
	said := time.Now()
	all := w.tenants()
	for _, c := range all {
		w.record(c, object, 1, plain) // a Warning
	}
	of := bucketOf(w.reference(object), happenings[1].kind, happenings[1].reason)
	pending := func(c *component) bool { return c.books.ackedIn[of]+c.books.droppedIn(of) < c.books.emitted[of] }
	w.passUntil(said.Add(healthyLag), func() bool {
		for _, c := range all {
			if pending(c) {
				return false
			}
		}
		return true
	})
	for _, c := range all {
		if pending(c) && !c.ending {
			w.fail("lag: a Warning of %s in a healthy namespace waits for more than %v beside sick ones",
				c.name, healthyLag)
		}
	}
}
