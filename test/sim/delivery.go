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
)

// The longest times until delivery resumes when the server is healthy again.
const (
	// backoffDelay is one step of a back-off.
	backoffDelay = 33 * time.Second
	// namespaceDelay is for namespaces that were terminating a minute ago.
	namespaceDelay = 62 * time.Second
	// adapterDelay is for adapters, which keep the answer of an access review for a minute, and may
	// be in a back-off then.
	adapterDelay = accessEvery + backoffDelay
)

// probeObject is the first of the objects that events are recorded about to see that delivery works.
const probeObject = 1000

// checkDelivery ends all faults and checks the SDK's promise: everything pending is delivered within one back-off step
// and the time that its requests take.
func (w *world) checkDelivery() {
	w.note("end of faults")
	w.repeaters = nil
	w.endFaults()
	if w.script.Config.End == recurring {
		w.deliverRecurring()
		return
	}
	before := map[*component]map[events.DropReason]int64{}
	for _, c := range w.running() {
		before[c] = c.base.Stats().Dropped
		for i := range namespaces {
			w.record(c, probeObject+i, i, plain)
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
	for _, c := range w.all {
		if before[c] != nil {
			w.checkNoDrops(c, before[c])
		}
	}
	w.checkAll()
}

// running returns the components that are not ending. If one of them was not started, it starts it.
func (w *world) running() (all []*component) {
	for _, c := range w.slots {
		if !c.ending {
			all = append(all, c)
		}
		if !c.ending && !c.started {
			w.startComponent(c)
		}
	}
	return all
}

// deliverByFlush checks that Flush delivers everything.
func (w *world) deliverByFlush() {
	var flushes []*job
	for _, c := range w.running() {
		flushes = append(flushes, w.beginFlush(c, w.deliveryTime(c)))
	}
	for _, j := range flushes {
		w.passUntil(j.by.Add(time.Second), func() bool { return !slices.Contains(w.jobs, j) })
		if j.err != nil {
			w.fail("%s has not delivered after %v of a healthy server: %v; %+v",
				j.c.name, j.by.Sub(j.began), j.err, j.c.base.Stats())
		}
	}
}

// deliverByTime checks that everything is delivered after a quiet time, and that no series is left in memory.
func (w *world) deliverByTime() {
	var quiet time.Duration
	for _, c := range w.slots {
		quiet = max(quiet, c.config.finish()+w.deliveryTime(c))
	}
	w.pass(quiet)
	for _, c := range w.slots {
		if s := c.base.Stats(); !c.ending && (s.Pending > 0 || s.Series > 0) {
			w.fail("%s has %d pending and %d series after %v of quiet and a healthy server",
				c.name, s.Pending, s.Series, quiet)
		}
	}
}

// recovery is the longest time from the last refusal until a series that goes on is recorded again.
// It does not depend on the number of refusals or on their cause.
const recovery = 10 * time.Minute

// deliverRecurring checks that series which occur every half minute are recorded again.
func (w *world) deliverRecurring() {
	const objects, every = 4, 30 * time.Second
	began := time.Now()
	type series struct {
		c  *component
		of bucket
	}
	acked := map[series]int64{}
	var took time.Duration
	for _, c := range w.running() {
		took = max(took, w.deliveryTime(c)-backoffDelay)
		for i := range objects {
			of := c.counts.bucketOf(w.reference(i), happenings[i].eventType, happenings[i].reason)
			acked[series{c, of}] = c.counts.ackedIn[of]
		}
	}
	for time.Since(began) < recovery+took && len(w.violations) == 0 {
		for _, c := range w.running() {
			for i := range objects {
				w.record(c, i, i, plain)
			}
		}
		w.pass(every)
	}
	// Without a Flush, a count may wait for the refresh interval of half an hour.
	w.deliverByFlush()
	for s, before := range acked {
		if s.c.counts.ackedIn[s.of] == before && !s.c.mayOmit(s.of) {
			w.fail("recovery: %v of %s goes on for %v of a healthy server and is not recorded: %+v",
				s.of, s.c.name, recovery+took, s.c.base.Stats())
		}
	}
	w.checkAll()
}

// mayOmit reports whether the component's own bounds and filters may drop every occurrence of a
// series.
func (c *component) mayOmit(of bucket) bool {
	bounded := c.counts.droppedFor(events.DropCacheFull) + c.counts.droppedFor(events.DropQueueFull) +
		c.counts.droppedFor(events.DropSpamFilter)
	return bounded > 0 || c.config.Filtered && strings.HasSuffix(of.name, "3")
}

// deliverByDrain checks that Drain delivers everything without any back-off.
func (w *world) deliverByDrain() {
	for _, c := range w.running() {
		w.beginDrain(c, w.requestTime(c))
	}
	w.passUntil(time.Now().Add(24*time.Hour), func() bool { return len(w.jobs) == 0 })
}

// endFaults ends all faults, and brings the server into the final state of the script.
func (w *world) endFaults() {
	w.checkEndOfFaults()
	w.faults, w.policy = noFaults(rand.New(rand.NewPCG(w.script.Seed, 3))), ""
	w.server.serve(servesV1)
	w.server.set(func() { w.server.reviewsFail = false })
	w.server.setTTL(time.Hour)
	for _, ns := range namespaces[1:] {
		w.server.setNamespace(ns, active)
	}
	for i, c := range w.slots {
		w.allowAll(c)
		w.selectBy([]int{i, 0})
	}
	switch w.finalState() {
	case denied:
		for _, c := range w.slots {
			w.server.decide(false, c.name, "", eventsGroup, "create")
			w.server.decide(false, c.name, "", eventsGroup, "patch")
		}
	case old:
		w.server.serve(noGroup)
	case old138:
		w.server.serve(noGroup138)
	}
	w.replanAnswers()
}

// finalState returns the final state of the script, or healthy if a component cannot write in that
// state. Only an adapter that may choose the API changes to core/v1, and not within the time of a
// Drain.
func (w *world) finalState() finalState {
	for _, c := range w.slots {
		needsV1 := c.config.Shape == viaAdapter && c.config.Mode == adapter.ModeEventsV1 ||
			c.config.Shape == viaSeries && c.config.Mode != adapter.ModeCoreV1
		if needsV1 || w.script.Config.End == drained {
			return healthy
		}
	}
	return w.script.Config.Final
}

// deliveryTime returns the longest time until everything is delivered to a healthy server.
func (w *world) deliveryTime(c *component) time.Duration {
	wait := backoffDelay
	if time.Since(w.terminated) < namespaceDelay {
		wait = namespaceDelay
	}
	if w.finalState() != healthy {
		wait += adapterDelay
	}
	return wait + w.requestTime(c)
}

// requestTime returns the longest time that the pending requests of a component may take. A write
// may need a second request, or some access reviews first.
func (w *world) requestTime(c *component) time.Duration {
	s := c.base.Stats()
	requests := 20 + 3*(int64(s.Series)+s.Pending)
	each := 2 * w.faults.latency
	if c.config.QPS > 0 {
		each += time.Second / time.Duration(c.config.QPS)
	}
	return time.Duration(requests) * each
}

// checkNoDrops checks that nothing is dropped while the server is healthy.
func (w *world) checkNoDrops(c *component, before map[events.DropReason]int64) {
	after := c.base.Stats().Dropped
	for _, reason := range slices.Sorted(maps.Keys(after)) {
		// Occurrences get too old, filters and bounds are always in force, and package legacy remembers which
		// namespaces were terminating.
		isAllowedDrop := reason == events.DropSpamFilter || reason == events.DropFiltered || reason == events.DropTooOld ||
			reason == events.DropCacheFull || reason == events.DropQueueFull ||
			reason == events.DropNamespaceGone && c.mayUseLegacy()
		if n := after[reason] - before[reason]; n > 0 && !isAllowedDrop {
			w.fail("%s dropped %d as %s with a healthy server", c.name, n, reason)
		}
	}
}

// finish ends every component and waits until late requests have ended.
func (w *world) finish() {
	w.closing, w.repeaters = true, nil
	for _, c := range w.all {
		if c.over {
			continue
		}
		timeout := c.config.drainTimeout()
		if w.script.Config.End != abruptly {
			timeout = w.deliveryTime(c)
		}
		w.beginDrain(c, timeout)
	}
	w.passUntil(time.Now().Add(24*time.Hour), func() bool { return len(w.jobs) == 0 })
	w.passUntil(time.Now().Add(24*time.Hour), func() bool { return len(w.server.waitingRequests()) == 0 })
	if len(w.violations) > 0 {
		return
	}
	w.checkAll()
	w.checkStored()
}
