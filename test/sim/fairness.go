// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"slices"
	"time"
)

// fairness has the items of a component that wait to be written, as the driver knows them. An item
// of a healthy namespace must be written in time, even if many others wait.
type fairness struct {
	items map[bucket]*item
	// order has the same items in the order of their first occurrences.
	order    []*item
	inFlight map[*request]*item
	// namespaces has the namespaces of all items.
	namespaces map[string]bool
	// writes is the number of requests so far.
	writes int
	// calmFrom is the number of requests until the end of the last trouble.
	calmFrom int
	// trouble is the time of the last request that had no answer, a bad one or a late one.
	trouble time.Time
}

// item stands for one item in the writer's queues. That is a series. In package legacy it is the
// queue of an object.
type item struct {
	key bucket
	of  []bucket
	// mixed is true if the item may stand for several series.
	mixed bool
	// before is the number of occurrences that earlier series of this bucket have written.
	before int64
	// last is the time of the last occurrence, and written the time of the last answer.
	last    time.Time
	written time.Time
	request *request

	// since is the number of the component's writes when the item began to wait. Up to calmFrom,
	// the item does not wait.
	since int
	// ahead is the number of items of its namespace that waited before it at that time, and older
	// of all namespaces.
	ahead int
	older int
	drops int64
}

const (
	// classEvery is the greatest number of writes between two writes of a class. The slots of the
	// writer's classes, which follow the golden ratio, come after 5, 8 or 13 steps. If two
	// namespaces are written alternately, each may miss every second of its slots. Of four writes
	// of a class, three are for the oldest item, and one is for the namespaces in turn.
	classEvery  = 2 * 13
	oldestEvery = classEvery*4/3 + 1
	turnEvery   = classEvery * 4
	// calmAfter is the time after the last trouble at which all gates are open.
	calmAfter = namespaceDelay + adapterDelay
	// prompt is the longest time until an answer that is no trouble. The writer takes an answer as
	// slow after a second.
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

// expect notes an occurrence, before the driver counts it.
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

// isStored reports whether the next write of i is a Patch. In package legacy nobody knows that
// before the write.
func (c *component) isStored(i *item) bool {
	return c.config.Shape != viaLegacy && c.acked(i) > i.before
}

// waits reports whether i is in a queue of the writer. The first and the second occurrence of a
// series are queued at once. Later ones are queued at the latest when the refresh interval has
// passed since the last write.
func (c *component) waits(i *item) bool {
	if i.mixed || i.request != nil || c.pending(i) <= 0 {
		return false
	}
	return !c.isStored(i) || c.acked(i) == i.before+1 || time.Since(i.written) > c.config.refresh()
}

// checkFairness checks, when a write arrives, that nothing of its component waits for too long.
//
// Of 32 writes, three are for the oldest item of each class, and one is for the namespaces of each
// class in turn. In a namespace the oldest item is first. So an item is written within 104·k·N
// writes, if it is the k-th item of its class in its namespace and there are N namespaces. It is
// also written within 35·n writes, if there are n items before it in all namespaces. One more turn
// is allowed for a namespace that must become healthy first, or whose share is under way. Requests
// that are under way may arrive in between, too.
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
		// Package legacy takes an item from its queue also if it then drops the occurrence as spam.
		case i.since <= f.calmFrom || drops > i.drops:
			i.since, i.drops = f.writes, drops
			i.ahead, i.older = c.ahead(i)
		case passed > most:
			w.fail("fairness: %v of %s waits while %d others are written, at most %d", i.key, c.name, passed, most)
			return
		}
	}
}

// ahead returns the greatest possible number of items before i in its class, in its namespace and
// in all namespaces. It counts pending items, and dropped items, because these may still be in the
// queues.
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

// isCalm reports whether all namespaces have been healthy for some time, and no series was evicted
// that may still be in a queue.
func (w *world) isCalm(c *component) bool {
	for _, r := range w.server.waitingRequests() {
		if r.component == c.name && time.Since(r.arrivedAt) > prompt {
			c.fairness.trouble = time.Now()
		}
	}
	return time.Since(c.fairness.trouble) >= calmAfter && c.counts.last.Evicted == 0 &&
		!c.ending && !c.hasTwoWriters()
}

// learn notes the end of a request.
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
