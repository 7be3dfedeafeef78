// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/rand/v2"
	"time"
)

// maxUnevenLag is the longest time for which a Warning may wait in a namespace without faults, even
// if other namespaces are slow or have a rate limit.
const maxUnevenLag = 10 * time.Second

// unevenObject is the first object of the events that are recorded while namespaces are uneven.
const unevenObject = 1 << 23

// character is the behaviour of the server in a namespace without faults. A slow webhook may delay
// all writes, or only creates. EventRateLimit may refuse every second request.
type character struct {
	create, patch time.Duration
	limited       bool
	requests      int
}

func (c *character) plan(r *request, w *faults, now time.Time, f *plannedAnswer) {
	latency := c.patch
	if r.verb == "create" {
		latency = c.create
	}
	f.due = now.Add(w.jitter(latency))
	c.requests++
	if c.limited && c.requests%2 == 0 {
		f.due = now.Add(w.jitter(time.Millisecond))
		f.how = eventRateLimit.String()
		f.end = func(r *request) { r.fail(eventRateLimit) }
	}
}

// makeUneven makes namespaces differ in their latency, also for different verbs, and gives some of
// them a rate limit. One namespace has no rate limit. Components record twenty Warnings a second
// there, and some in the others.
func (w *world) makeUneven(args []int) {
	place := args[0] % len(namespaces)
	random := rand.New(rand.NewPCG(w.script.Seed, uint64(args[1])))
	latencies := []time.Duration{time.Millisecond, 20 * time.Millisecond, 100 * time.Millisecond, 800 * time.Millisecond}
	fault := faults{kind: noFault, uneven: map[string]*character{}}
	for i, namespace := range namespaces {
		c := &character{
			create:  latencies[random.IntN(len(latencies))],
			patch:   latencies[random.IntN(len(latencies))],
			limited: i != place && random.IntN(2) == 0,
		}
		if i == place {
			c.create = 100 * time.Millisecond
		}
		fault.uneven[namespace] = c
		w.note("%s: creates take %v, patches %v, limited: %v", namespace, c.create, c.patch, c.limited)
	}
	w.coverage.add("uneven", "")
	w.beside(fault, args[1], func() {
		var all []*component
		for _, c := range w.tenants() {
			// Components with a smaller window cannot write so much.
			if c.config.InFlight == 64 {
				all = append(all, c)
			}
		}
		// Earlier occurrences are written first.
		w.pass(discovery)
		object := func() int { return unevenObject + 8*w.emitted }
		for range 20 {
			for range 20 {
				for _, c := range all {
					w.record(c, object()+place, 1, plain)
				}
				w.pass(50 * time.Millisecond)
			}
			for i := range namespaces {
				for _, c := range all {
					w.record(c, object()+i, 1, plain)
				}
			}
		}
		w.checkLag(all, object()+place, maxUnevenLag)
	})
}
