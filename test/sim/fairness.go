// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"slices"
	"time"
)

// fairness is what the driver knows of the items of a component that wait to be written. What waits in a healthy
// namespace is written in time, however much else waits.
type fairness struct {
	items      map[bucket]*item
	order      []*item // the same, the first recorded one first
	inFlight   map[*request]*item
	namespaces map[string]bool // of all items
	writes     int             // requests so far
	calmFrom   int             // of them, those up to the last one in trouble
	trouble    time.Time       // the last answer that was none, bad or late
}

// item is what has one place in the writer's queues: a series or, in package legacy, all that is pending of an object.
type item struct {
	key     bucket
	of      []bucket
	mixed   bool      // it may be several series
	before  int64     // occurrences that were written before the series was forgotten and began again
	last    time.Time // the last occurrence
	written time.Time // the last answer
	request *request

	since int // the number of the component's writes when the item was first seen to wait; up to calmFrom: it was not
	ahead int // how many items of its namespace were before it at that time
	older int // and how many of all
	drops int64
}

const (
	// classEvery is how many writes lie between two of a class, at most. The golden ratio visits an eighth after 5, 8 or
	// 13 steps. A namespace that is busy by turns with another has its share under way at every second of them. Of four
	// writes of a class three are for its oldest item, and one is for its namespaces in turn.
	classEvery  = 2 * 13
	oldestEvery = classEvery*4/3 + 1
	turnEvery   = classEvery * 4
	// calmAfter is how long after the last trouble all gates are open.
	calmAfter = namespaceDelay + adapterDelay
	// prompt is how late an answer may be. A namespace is suspect after a second.
	prompt = 500 * time.Millisecond
)

func newFairness() fairness {
	return fairness{items: map[bucket]*item{}, inFlight: map[*request]*item{}, namespaces: map[string]bool{}}
}

// item returns the item of an occurrence.
func (c *component) item(of bucket) *item {
	f, key, isLegacy := &c.fairness, of, c.config.Shape == viaLegacy
	if isLegacy {
		key.eventType, key.reason = "", ""
	}
	i := f.items[key]
	if i == nil {
		i = &item{key: key, mixed: c.counts.limited && !isLegacy}
		f.items[key] = i
		f.order = append(f.order, i)
		f.namespaces[key.eventNamespace()] = true
	}
	if !slices.Contains(i.of, of) {
		i.of = append(i.of, of)
	}
	return i
}

// expect records that an occurrence is about to be counted.
func (c *component) expect(of bucket, how style) {
	i := c.item(of)
	if how != plain && c.config.Shape != viaLegacy {
		i.mixed = true
	}
	if c.pending(i) <= 0 && time.Since(i.last) >= c.config.finish() {
		i.before = c.acked(i)
	}
	i.last = time.Now()
}

func (c *component) acked(i *item) (n int64) {
	for _, of := range i.of {
		n += c.counts.ackedIn[of]
	}
	return n
}

func (c *component) drops(i *item) (n int64) {
	for _, of := range i.of {
		n += c.counts.droppedIn(of)
	}
	return n
}

func (c *component) pending(i *item) (n int64) {
	for _, of := range i.of {
		n += c.counts.emitted[of]
	}
	return n - c.acked(i) - c.drops(i)
}

// isStored reports whether the next write of i is a Patch. Package legacy finds out when it writes.
func (c *component) isStored(i *item) bool {
	return c.config.Shape != viaLegacy && c.acked(i) > i.before
}

// waits reports whether i is in a queue of the writer. A first and a second occurrence are at once, others are no later
// than the refresh interval after the last write.
func (c *component) waits(i *item) bool {
	if i.mixed || i.request != nil || c.pending(i) <= 0 {
		return false
	}
	return !c.isStored(i) || c.acked(i) == i.before+1 || time.Since(i.written) > c.config.refresh()
}

// checkFairness checks, when a write arrives, that nothing of its component waits for too long.
//
// Of 32 writes, three each go to the oldest item of a class, and one to its namespaces in turn, in which the first to
// come is the first to go. So the k-th item of its class in one of N namespaces, before which there are n, is written
// within 104·k·N writes, and within 35·n. Another turn is for a namespace that must become healthy first, or has its share
// under way. What was under way before may arrive in between, and what the item meets on the way to the server.
func (w *world) checkFairness(c *component, r *request) {
	f := &c.fairness
	f.writes++
	if r.about() != nil {
		i := c.item(c.counts.bucketOfRequest(r))
		i.since, i.request = 0, r
		f.inFlight[r] = i
	}
	if !w.isCalm(c) {
		f.calmFrom = f.writes
		return
	}
	for _, i := range f.order {
		passed := f.writes - i.since
		inTurn := turnEvery * len(f.namespaces) * (i.ahead + 2)
		byAge := oldestEvery * (i.older + 2)
		most := min(inTurn, byAge) + 2*c.config.InFlight
		switch drops := c.drops(i); {
		case !c.waits(i):
			i.since = 0
		case i.since <= f.calmFrom || drops > i.drops: // package legacy tries what it drops as spam
			i.since, i.drops = f.writes, drops
			i.ahead, i.older = c.ahead(i)
		case passed > most:
			w.fail("fairness: %v of %s waits while %d others are written, at most %d", i.key, c.name, passed, most)
			return
		}
	}
}

// ahead returns how many items are before i in its class, at most, in its namespace and in all: those that are pending,
// and those that were dropped, which may have left their places.
func (c *component) ahead(i *item) (here, everywhere int) {
	isStored := c.isStored(i)
	for namespace := range c.fairness.namespaces {
		n := c.counts.dropsIn(namespace)
		for _, other := range c.fairness.order {
			pending := c.pending(other)
			if other == i || pending <= 0 || other.key.eventNamespace() != namespace {
				continue
			}
			switch {
			case other.mixed:
				n += int(pending)
			case isStored && c.isStored(other), !isStored && !c.isStored(other) && i.key.eventType == other.key.eventType:
				n++
			}
		}
		if everywhere += n; namespace == i.key.eventNamespace() {
			here = n
		}
	}
	return here, everywhere
}

// isCalm reports whether all namespaces have been healthy for a while, and nothing was evicted that may be in a queue.
func (w *world) isCalm(c *component) bool {
	for _, r := range w.server.waitingRequests() {
		if r.component == c.name && time.Since(r.arrivedAt) > prompt {
			c.fairness.trouble = time.Now()
		}
	}
	return time.Since(c.fairness.trouble) >= calmAfter && c.counts.last.Evicted == 0 &&
		!c.ending && !c.hasTwoWriters()
}

// learn records how a request ended.
func (f *fairness) learn(r *request) {
	outcome := r.outcome
	if outcome != "200" && outcome != "201" || time.Since(r.arrivedAt) > prompt {
		f.trouble = time.Now()
	}
	if i := f.inFlight[r]; i != nil && i.request == r {
		i.request, i.written = nil, time.Now()
	}
	delete(f.inFlight, r)
}
