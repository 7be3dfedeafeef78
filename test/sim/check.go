// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"maps"
	"slices"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
)

// checkAll checks the invariants that must hold after every step.
func (w *world) checkAll() {
	for _, c := range w.all {
		w.checkStats(c)
	}
	// The server checks I3 and I7.
	for _, violation := range w.server.takeViolations() {
		w.fail("%s", violation)
	}
}

// checkStats compares a component's Stats with the driver's own counts.
func (w *world) checkStats(c *component) {
	s, b := c.base.Stats(), c.counts
	sum := s.Recorded + s.Pending + dropped(s.Dropped)
	if s.Observed != sum || s.Pending < 0 {
		w.fail("I1: %s observed %d and accounts for %d: %+v", c.name, s.Observed, sum, s)
	}
	if s.Observed != b.observed {
		w.fail("I1: %s observed %d of %d", c.name, s.Observed, b.observed)
	}
	if s.Recorded != b.acked {
		w.fail("I4: %s recorded %d, the server acknowledged %d", c.name, s.Recorded, b.acked)
	}
	if e := c.exported; e != nil && (e.sum.Load() < s.Recorded || e.sum.Load() > s.Recorded+s.Unconfirmed) {
		w.fail("%s recorded %d, of %d that are unconfirmed, and exports %d", c.name, s.Recorded, s.Unconfirmed, e.sum.Load())
	}
	if !c.mayUseLegacy() && s.Series > c.config.maxSeries() {
		w.fail("I5: %s has %d series, at most %d", c.name, s.Series, c.config.maxSeries())
	}
	if c.config.Shape == viaLegacy && s.Pending > queueSize {
		w.fail("I5: %s has %d occurrences waiting", c.name, s.Pending)
	}
	w.checkDrops(c, &s)
	w.checkAllowedDrops(c, &s)
	w.checkTotals(c, &s)
	w.checkCounts(c, &s)
	w.checkOverflowed(c, &s)
	if watched := b.watched.Load(); watched+s.WatcherDropped < b.watching || !c.ending && watched > b.watching {
		w.fail("a watcher of %s saw %d of %d", c.name, watched, b.watching)
	}
	for _, contradictory := range b.contradictions() {
		w.fail("%s %s", c.name, contradictory)
	}
	b.last = s
}

// checkCounts checks I1 for the counts of each label set, and that they add up to Stats.
func (w *world) checkCounts(c *component, s *events.Stats) {
	var total events.LabeledCounts
	for _, one := range c.accounts() {
		if sum := one.Recorded + one.Pending + dropped(one.Dropped); one.Observed != sum {
			w.fail("I1: %s observed %d of %+v and accounts for %d", c.name, one.Observed, one.MetricLabels, sum)
		}
		total = total.Add(one)
	}
	if total.Observed != s.Observed || total.Overflowed != s.Overflowed || total.Recorded != s.Recorded || total.Pending != s.Pending ||
		dropped(total.Dropped) != dropped(s.Dropped) {
		w.fail("I1: the counts of %s add up to %+v, its Stats are %+v", c.name, total, *s)
	}
	if waits := !s.OldestPending.IsZero(); waits != (s.Pending > 0) {
		w.fail("%s has %d pending since %v", c.name, s.Pending, s.OldestPending)
	}
}

func dropped(by map[events.DropReason]int64) (sum int64) {
	for _, n := range by {
		sum += n
	}
	return sum
}

// checkDrops checks that the drop handler was called for every drop.
func (w *world) checkDrops(c *component, s *events.Stats) {
	for _, reason := range slices.Sorted(maps.Keys(s.Dropped)) {
		if handled := c.counts.droppedFor(reason); handled != s.Dropped[reason] {
			w.fail("I1: %s dropped %d as %s, its handler was told of %d", c.name, s.Dropped[reason], reason, handled)
		}
	}
}

// checkTotals checks that no total decreases, and that the Stats of a component that has ended change only by later
// calls.
func (w *world) checkTotals(c *component, s *events.Stats) {
	before, now := totals(&c.counts.last), totals(s)
	for i, name := range totalNames {
		if now[i] < before[i] {
			w.fail("%s of %s went from %d to %d", name, c.name, before[i], now[i])
		}
	}
	if !c.over {
		return
	}
	last := c.counts.last.Dropped
	for reason, n := range s.Dropped {
		if n > last[reason] && reason != events.DropStopped && reason != events.DropInvalid {
			w.fail("I6: %s dropped %d more as %s after its end", c.name, n-last[reason], reason)
		}
	}
	if s.Pending > 0 || s.Recorded > c.counts.last.Recorded {
		w.fail("I6: %s has %d pending and recorded %d more after its end", c.name, s.Pending,
			s.Recorded-c.counts.last.Recorded)
	}
}

// maxOutsideWindow is the greatest number of writes outside the window. Each of them is slow or in
// a failing namespace.
const maxOutsideWindow = 64

// queueSize is the greatest number of occurrences in the queue of package legacy.
const queueSize = 16384

var totalNames = [...]string{
	"Observed", "Overflowed", "Recorded", "Unconfirmed", "Creates", "Patches", "Retries", "Evicted", "WatcherDropped",
}

func totals(s *events.Stats) [len(totalNames)]int64 {
	return [...]int64{
		s.Observed, s.Overflowed, s.Recorded, s.Unconfirmed, s.Creates, s.Patches, s.Retries, s.Evicted, s.WatcherDropped,
	}
}

// mayUseLegacy reports whether Stats.Series may count queues of package legacy.
func (c *component) mayUseLegacy() bool {
	mode := c.config.Mode
	return c.config.Shape == viaLegacy || c.config.Shape == viaAdapter && (mode == adapter.ModeAuto || mode == adapter.ModeLegacy)
}

// hasTwoWriters reports whether the component has workers for both APIs.
func (c *component) hasTwoWriters() bool { return c.mayUseLegacy() && c.config.Shape == viaAdapter }

// checkArrival checks the invariants that must hold when a request arrives.
func (w *world) checkArrival(r *request) {
	c := w.component(r.component)
	if c.over {
		w.fail("I6: %s sent after its end: %s", c.name, r)
	}
	w.checkRewrite(c, r)
	w.checkLimit(c, r)
	w.checkEtiquette(c, r)
	if r.resource == "events" {
		w.checkFairness(c, r)
	}
	writes, here := 0, 0
	for _, other := range w.server.waitingRequests() {
		if other.component == c.name && other.resource == "events" && !other.abandoned() {
			writes++
			if other.namespace == r.namespace {
				here++
			}
		}
	}
	most := c.config.InFlight
	share := max(1, most/2)
	if c.ending {
		share = most
	}
	if writes > most+maxOutsideWindow || here > share {
		w.fail("I5: %s has %d writes under way, %d of them in namespace %s, of %d that may be",
			c.name, writes, here, r.namespace, most)
	}
}

// checkOver checks the invariants that must hold when a component has ended (I6). The bubble checks
// at the end of the run that no goroutine is left.
func (w *world) checkOver(c *component) {
	w.checkStats(c)
	for _, r := range w.server.waitingRequests() {
		if r.component == c.name && !r.abandoned() {
			w.fail("I6: %s is over and still waits for %s", c.name, r)
		}
	}
	if pending := c.counts.last.Pending; pending > 0 {
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
