// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"time"

	"github.com/eventseries/eventseries/internal/request"
)

// choice is what is written next.
type choice[T Item] struct {
	ns     *namespace[T] // nil for nothing
	class  request.Class
	newest bool // of the class; else the oldest one
}

// skew is the difference that is allowed between two readings of one clock by different
// goroutines. More means that the clock was set back.
const skew = time.Second

// slots says which class is written first in a slot. NoWrite means the most urgent class that
// waits. So each class has a share, and no class waits for ever behind more urgent ones.
var slots = [8]request.Class{
	1: request.FirstNormal, 2: request.FailedCreate, 3: request.Second, 4: request.Count, 5: request.FailedPatch,
}

// probeSlot is the one of failing namespaces, while there are others.
const probeSlot = 0

// slotOf returns the slot of the n-th write, and whether the oldest item of its class is
// next, and not that of the namespace which was written longest ago. Multiples of the
// golden ratio visit all slots evenly, also if one looks at every second or every fifth of
// them only. Otherwise namespaces that are busy by turns could miss the same slots for ever.
func slotOf(n uint64) (slot int, byAge bool) {
	scattered := uint32(n) * 2654435769
	return int(scattered >> 29), scattered>>28&1 == 0
}

// chooseLocked returns what is to be written at now. If that is nothing, retry is when that
// may change by itself; zero if only an answer or a new item can change it.
func (w *Writer[T]) chooseLocked(now time.Time) (c choice[T], retry time.Time) {
	if now.Before(w.last.Add(-skew)) { // the clock was set back, and back-offs might last for hours
		w.openLocked()
	}
	w.last = now
	switch {
	case !w.server.admits(now):
		return c, w.server.until
	case w.server.closed() && w.probing != 0:
		return c, time.Time{}
	}
	for ns := w.ready.first(delayed); ns != nil && ns.gate.admits(now); ns = w.ready.first(delayed) {
		w.ready.update(ns, &w.window, now)
	}
	slot, byAge := slotOf(w.begun + 1)
	if c = w.firstLocked(slots[slot], byAge); c.ns != nil && !w.roomLocked() {
		w.window.full = true
		c.ns = nil
	}
	failing := w.ready.first(probes)
	if failing != nil && w.beside < maxBeside && (c.ns == nil || slot == probeSlot && !w.server.closed()) {
		c.ns = failing
		c.class, c.newest = failing.probe()
	}
	if ns := w.ready.first(delayed); c.ns == nil && ns != nil {
		retry = ns.gate.until
	}
	return c, retry
}

// roomLocked reports whether there is room in the window.
func (w *Writer[T]) roomLocked() bool {
	return len(w.underway)-min(w.beside, maxBeside) < w.window.limit
}

// firstLocked returns the first item of a class, if there is one, or else of the most
// urgent class that there is.
func (w *Writer[T]) firstLocked(class request.Class, byAge bool) (c choice[T]) {
	order := turns
	if byAge {
		order = oldest
	}
	if c.ns = w.ready.first(order + int(class)); c.ns != nil {
		return choice[T]{ns: c.ns, class: class}
	}
	for class := request.FirstWarning; class < request.Classes && c.ns == nil; class++ {
		c = choice[T]{ns: w.ready.first(order + int(class)), class: class}
	}
	return c
}
