// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"maps"
	"slices"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/sim/apiserver"
)

// checkAll holds what must be so after every step.
func (w *world) checkAll() {
	for _, c := range w.all {
		w.checkBooks(c)
	}
	for _, violation := range w.server.Violations()[w.blamed:] { // I3 and I7
		w.blamed++
		w.fail("%s", violation)
	}
}

// checkBooks holds a component's Stats against the driver's own books.
func (w *world) checkBooks(c *component) {
	s, b := c.base.Stats(), c.books
	sum := s.Recorded + s.Pending
	for _, n := range s.Dropped {
		sum += n
	}
	if s.Observed != sum || s.Pending < 0 {
		w.fail("I1: %s observed %d and accounts for %d: %+v", c.name, s.Observed, sum, s)
	}
	if s.Observed != b.observed {
		w.fail("I1: %s observed %d of %d", c.name, s.Observed, b.observed)
	}
	if s.Recorded != b.acked {
		w.fail("I4: %s recorded %d, the server has told it of %d", c.name, s.Recorded, b.acked)
	}
	if !c.mayUseLegacy() && s.Series > c.config.maxSeries() {
		w.fail("I5: %s has %d series, at most %d", c.name, s.Series, c.config.maxSeries())
	}
	if c.config.Shape == viaLegacy && s.Pending > queueSize {
		w.fail("I5: %s has %d occurrences waiting", c.name, s.Pending)
	}
	w.checkDrops(c, &s)
	w.checkExcuses(c, &s)
	w.checkTotals(c, &s)
	if watched := b.watched.Load(); watched+s.WatcherDropped < b.watching || !c.ending && watched > b.watching {
		w.fail("a watcher of %s saw %d of %d", c.name, watched, b.watching)
	}
	for _, absurd := range b.absurdities() {
		w.fail("%s %s", c.name, absurd)
	}
	b.last = s
}

// checkDrops: the drop handler has heard of every drop.
func (w *world) checkDrops(c *component, s *events.Stats) {
	for _, reason := range slices.Sorted(maps.Keys(s.Dropped)) {
		if told := c.books.droppedFor(reason); told != s.Dropped[reason] {
			w.fail("I1: %s dropped %d as %s, its handler was told of %d", c.name, s.Dropped[reason], reason, told)
		}
	}
}

// checkTotals: what is a total never goes down, and the books of what is over
// only change by what comes after the end.
func (w *world) checkTotals(c *component, s *events.Stats) {
	before, now := totals(&c.books.last), totals(s)
	for i, name := range totalNames {
		if now[i] < before[i] {
			w.fail("%s of %s went from %d to %d", name, c.name, before[i], now[i])
		}
	}
	if !c.over {
		return
	}
	last := c.books.last.Dropped
	for reason, n := range s.Dropped {
		if n > last[reason] && reason != events.Stopped && reason != events.Invalid {
			w.fail("I6: %s dropped %d more as %s after its end", c.name, n-last[reason], reason)
		}
	}
	if s.Pending > 0 || s.Recorded > c.books.last.Recorded {
		w.fail("I6: %s has %d pending and recorded %d more after its end", c.name, s.Pending,
			s.Recorded-c.books.last.Recorded)
	}
}

// maxAside is how many writes may be under way beside the workers', each in a
// namespace that is slow or fails.
const maxAside = 64

// queueSize is how much package legacy keeps.
const queueSize = 16384

var totalNames = [...]string{
	"Observed", "Recorded", "Unconfirmed", "Creates", "Patches", "Retries", "Evicted", "WatcherDropped",
}

func totals(s *events.Stats) [len(totalNames)]int64 {
	return [...]int64{
		s.Observed, s.Recorded, s.Unconfirmed, s.Creates, s.Patches, s.Retries, s.Evicted, s.WatcherDropped,
	}
}

// mayUseLegacy tells whether Stats.Series may count lanes of package legacy.
func (c *component) mayUseLegacy() bool {
	mayFall := c.config.Mode == adapter.Auto && c.config.Fallback == adapter.FallbackLegacy
	return c.config.Shape == viaLegacy || c.config.Shape == viaAdapter && (mayFall || c.config.Mode == adapter.Legacy)
}

// hasTwoWriters tells whether the component has workers for both APIs.
func (c *component) hasTwoWriters() bool { return c.mayUseLegacy() && c.config.Shape == viaAdapter }

// checkArrival holds what must be so when a request arrives.
func (w *world) checkArrival(r *apiserver.Request) {
	c := w.component(r.Component())
	if c.over {
		w.fail("I6: %s sent after its end: %s", c.name, r)
	}
	w.checkRepeat(c, r)
	w.checkManners(c, r)
	writes, here := 0, 0
	for _, other := range w.server.Waiting() {
		if other.Component() == c.name && other.Resource() == "events" && !other.GaveUp() {
			writes++
			if other.Namespace() == r.Namespace() {
				here++
			}
		}
	}
	workers := c.config.Workers
	writers := 1
	if c.hasTwoWriters() {
		writers = 2
	}
	if writes > writers*(workers+maxAside) || here > writers*max(1, workers-1) {
		w.fail("I5: %s has %d writes under way, %d of them in namespace %s, with %d workers",
			c.name, writes, here, r.Namespace(), workers)
	}
}

// checkOver holds what must be so once a component has ended (I6). That none of
// its goroutines is left is the bubble's own check, at the end of the run.
func (w *world) checkOver(c *component) {
	w.checkBooks(c)
	for _, r := range w.server.Waiting() {
		if r.Component() == c.name && !r.GaveUp() {
			w.fail("I6: %s is over and still waits for %s", c.name, r)
		}
	}
	if pending := c.books.last.Pending; pending > 0 {
		w.fail("I6: %s is over with %d pending", c.name, pending)
	}
	c.over = true
}

func (w *world) component(name string) *component {
	for _, c := range w.all {
		if c.name == name {
			return c
		}
	}
	panic(fmt.Sprintf("sim: no component %q", name))
}
