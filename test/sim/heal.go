// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/sim/apiserver"
)

// Times within which delivery resumes once the server is well: one back-off
// step, but for namespaces that said a minute ago that they are going.
const (
	backoff     = 33 * time.Second
	terminating = 62 * time.Second
	// What the adapter has asked a minute ago it believes, and then it may be in a
	// back-off.
	learning = accessEvery + backoff
)

// life is the first of the objects that are there to show that all is well.
const life = 1000

// heal makes the server well and holds the SDK to its promise: everything that
// waits is delivered within one back-off step and the time its requests take.
func (w *world) heal() {
	w.note("heal")
	w.beats = nil
	w.mend()
	if w.script.Config.End == recurring {
		w.deliverRecurring()
		return
	}
	before := map[*component]map[events.DropReason]int64{}
	for _, c := range w.slots {
		if c.ending {
			continue
		}
		if !c.started {
			w.startComponent(c)
		}
		before[c] = c.base.Stats().Dropped
		for i := range namespaces { // a sign of life in each
			w.record(c, life+i, i, plain)
		}
	}
	switch w.script.Config.End {
	case flushed:
		w.deliverByFlush()
	case waited:
		w.deliverByTime()
	case drained:
		w.deliverByDrain()
	}
	for _, c := range w.slots {
		if before[c] != nil {
			w.checkKept(c, before[c])
		}
	}
	w.checkAll()
}

// deliverByFlush: Flush has everything delivered.
func (w *world) deliverByFlush() {
	var flushes []*job
	for _, c := range w.slots {
		if !c.ending {
			flushes = append(flushes, w.beginFlush(c, w.resumption(c)))
		}
	}
	for _, j := range flushes {
		w.passUntil(j.by.Add(time.Second), func() bool { return !slices.Contains(w.jobs, j) })
		if j.err != nil {
			w.fail("%s has not delivered after %v of a healthy server: %v; %+v",
				j.c.name, j.by.Sub(j.began), j.err, j.c.base.Stats())
		}
	}
}

// deliverByTime: a quiet while later everything is delivered, and no series is in
// memory any more.
func (w *world) deliverByTime() {
	var quiet time.Duration
	for _, c := range w.slots {
		quiet = max(quiet, c.config.finish()+w.resumption(c))
	}
	w.pass(quiet)
	for _, c := range w.slots {
		if s := c.base.Stats(); !c.ending && (s.Pending > 0 || s.Series > 0) {
			w.fail("%s has %d pending and %d series after %v of quiet and a healthy server",
				c.name, s.Pending, s.Series, quiet)
		}
	}
}

// recovery is how soon after the last refusal every series is recorded that goes on
// occurring, whatever had refused it and how often.
const recovery = 10 * time.Minute

// deliverRecurring: what occurs every half minute is recorded again.
func (w *world) deliverRecurring() {
	const objects, every = 4, 30 * time.Second
	began := time.Now()
	type series struct {
		c  *component
		of bucket
	}
	acked := map[series]int64{}
	var took time.Duration
	for _, c := range w.slots {
		if c.ending {
			continue
		}
		if !c.started {
			w.startComponent(c)
		}
		took = max(took, w.resumption(c)-backoff)
		for i := range objects {
			of := bucketOf(w.reference(i), happenings[i].kind, happenings[i].reason)
			acked[series{c, of}] = c.books.ackedIn[of]
		}
	}
	for time.Since(began) < recovery+took && len(w.violations) == 0 {
		for _, c := range w.slots {
			for i := range objects {
				if !c.ending {
					w.record(c, i, i, plain)
				}
			}
		}
		w.pass(every)
	}
	w.deliverByFlush() // counts of a series that goes well may wait for half an hour
	for s, before := range acked {
		if s.c.books.ackedIn[s.of] == before && !s.c.mayOmit(s.of) {
			w.fail("recovery: %v of %s goes on for %v of a healthy server and is not recorded: %+v",
				s.of, s.c.name, recovery+took, s.c.base.Stats())
		}
	}
	w.checkAll()
}

// mayOmit tells whether the component's own bounds may leave out all of a series.
func (c *component) mayOmit(of bucket) bool {
	bounded := c.books.droppedFor(events.CacheFull) + c.books.droppedFor(events.QueueFull) +
		c.books.droppedFor(events.SpamFilter)
	return bounded > 0 || c.config.Filtered && strings.HasSuffix(of.name, "3")
}

// deliverByDrain: Drain forgets every back-off.
func (w *world) deliverByDrain() {
	for _, c := range w.slots {
		if !c.ending {
			w.beginDrain(c, w.service(c))
		}
	}
	w.passUntil(time.Now().Add(24*time.Hour), func() bool { return len(w.jobs) == 0 })
}

// mend ends everything that is wrong, or nearly.
func (w *world) mend() {
	w.checkWeather()
	w.weather, w.policy = clearSky(rand.New(rand.NewPCG(w.script.Seed, 3))), ""
	w.server.SetServed(true)
	w.server.SetReviewsFail(false)
	w.server.SetTTL(time.Hour)
	for _, ns := range namespaces[1:] {
		w.server.Namespace(ns, apiserver.Active)
	}
	clear(w.states)
	for _, c := range w.slots {
		w.allowAll(c)
	}
	switch w.cure() {
	case denied:
		for _, c := range w.slots {
			w.server.Forbid(c.name, "", eventsGroup, "create")
			w.server.Forbid(c.name, "", eventsGroup, "patch")
		}
	case old:
		w.server.SetServed(false)
	}
	w.replan()
}

// cure is the one that the components can do with: only an adapter that may choose
// finds its way to core/v1, and it takes its time.
func (w *world) cure() cure {
	for _, c := range w.slots {
		needsV1 := c.config.Shape == viaAdapter && c.config.Mode == adapter.EventsV1 ||
			c.config.Shape == viaSeries && c.config.Mode != adapter.CoreV1
		if needsV1 || w.script.Config.End == drained {
			return whole
		}
	}
	return w.script.Config.Cure
}

// resumption is how long deliverance may take.
func (w *world) resumption(c *component) time.Duration {
	wait := backoff
	if time.Since(w.terminated) < terminating {
		wait = terminating
	}
	if w.cure() != whole {
		wait += learning
	}
	return wait + w.service(c)
}

// service is how long the requests take that a component has to make: a write may
// need another one, or a few questions about RBAC first.
func (w *world) service(c *component) time.Duration {
	s := c.base.Stats()
	requests := 20 + 3*(int64(s.Series)+s.Pending)
	each := 2 * w.weather.latency
	if c.config.QPS > 0 {
		each += time.Second / time.Duration(c.config.QPS)
	}
	return time.Duration(requests) * each
}

// checkKept: a healthy server is no reason to drop anything.
func (w *world) checkKept(c *component, before map[events.DropReason]int64) {
	after := c.base.Stats().Dropped
	for _, reason := range slices.Sorted(maps.Keys(after)) {
		// What is an hour old is of no use, filters and bounds are always there, and package legacy remembers
		// which namespaces were going.
		excused := reason == events.SpamFilter || reason == events.Filtered || reason == events.TooOld ||
			reason == events.CacheFull || reason == events.QueueFull ||
			reason == events.NamespaceGone && c.mayUseLegacy()
		if n := after[reason] - before[reason]; n > 0 && !excused {
			w.fail("%s dropped %d as %s with a healthy server", c.name, n, reason)
		}
	}
}

// finish ends every component and lets what is late land.
func (w *world) finish() {
	w.closing, w.beats = true, nil
	for _, c := range w.all {
		if c.over {
			continue
		}
		timeout := c.config.drainTimeout()
		if w.script.Config.End != abruptly {
			timeout = w.resumption(c)
		}
		w.beginDrain(c, timeout)
	}
	w.passUntil(time.Now().Add(24*time.Hour), func() bool { return len(w.jobs) == 0 })
	w.passUntil(time.Now().Add(24*time.Hour), func() bool { return len(w.server.Waiting()) == 0 })
	if len(w.violations) > 0 {
		return
	}
	w.checkAll()
	w.checkLedger()
}
