// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"time"

	"github.com/eventseries/eventseries/internal/heap"
	"github.com/eventseries/eventseries/internal/request"
)

// choice is the next item to write.
type choice[T Item] struct {
	// ns is nil if there is nothing to write.
	ns    *namespace[T]
	class request.Class
	// newest is true if the newest item of the class is next, rather than the oldest.
	newest bool
}

// slots lists the class that comes first in each slot; slotOf assigns every write to a slot.
// NoWrite stands for the most urgent class that has items waiting. The slots guarantee each class a
// part of the writes. Without them, a component with more Warnings than its client may send would
// never write a count (TestOrder).
var slots = [8]request.Class{
	1: request.FirstNormal,
	2: request.FailedCreate,
	3: request.Second,
	4: request.Count,
	5: request.FailedPatch,
}

// probeSlot is the slot in which failing namespaces come before the others. Without this slot, a
// failing namespace that works again would have to wait until a flood in another namespace ends.
const probeSlot = 0

// slotOf returns the slot of the n-th write. Multiples of the golden ratio visit all slots evenly,
// even for a subset such as every second or every fifth write. If the slots simply took turns, a
// namespace that is written alternately with another one would only ever get every second slot, and
// some of its classes would never be written (TestOrderOfBusyNamespaces).
func slotOf(n uint64) int {
	return int(uint32(n) * 2654435769 >> 29)
}

// turnEvery determines which writes of a class take the namespaces in turn: every turnEvery-th one.
// All others take the oldest item of the class. This balances two requirements, which
// test/isolation checks (TestFloodInOneNamespace):
//
//   - A flood in one namespace waits at most twice as long as it would with first in, first out,
//     because most writes are in order of age. If every second write took turns, the flood would wait
//     2.3 times as long while there are other Events.
//   - A quiet namespace does not wait for a flood in another one, because some writes take the
//     namespaces in turn.
//
// Each class uses both orders, because a flood comes in several classes at once
// (TestQuietNamespaceInEachClass).
const turnEvery = 4

// chooseLocked returns the item to write at the time now. If no item can be written then, retry is
// the time at which the next back-off ends, or zero if the writer must wait for an answer or a new
// item instead.
func (w *Writer[T]) chooseLocked(now time.Time) (c choice[T], retry time.Time) {
	switch {
	case !w.server.admits(now):
		return c, w.server.until
	case w.server.probing():
		return c, time.Time{}
	}
	for ns := w.ready.delayed.first(); ns != nil && ns.gate.admits(now); ns = w.ready.delayed.first() {
		w.ready.update(ns, &w.window, now)
	}
	slot := slotOf(w.lastID + 1)
	c = w.firstLocked(slots[slot])
	if c.ns != nil && !w.roomLocked() {
		w.window.full = true
		c.ns = nil
	}
	sick := w.ready.failing.first()
	isItsTurn := c.ns == nil || slot == probeSlot && !w.server.closed()
	if sick != nil && isItsTurn && w.outsideWindow < maxOutsideWindow {
		c.ns = sick
		c.class, c.newest = sick.probe()
	}
	if ns := w.ready.delayed.first(); c.ns == nil && ns != nil {
		retry = ns.gate.until
	}
	return c, retry
}

// roomLocked reports whether the window has room for another write.
func (w *Writer[T]) roomLocked() bool {
	return len(w.inFlight)-min(w.outsideWindow, maxOutsideWindow) < w.window.limit
}

// firstLocked returns the first item of the given class. If that class has none, it returns the
// first item of the most urgent class that has any.
func (w *Writer[T]) firstLocked(class request.Class) choice[T] {
	if w.ready.byAge[class].first() == nil {
		class = request.FirstWarning
		for class < request.Classes && w.ready.byAge[class].first() == nil {
			class++
		}
	}
	if class == request.Classes {
		return choice[T]{}
	}
	order := &w.ready.byAge[class]
	if (w.taken[class]+1)%turnEvery == 0 {
		order = &w.ready.byLastServed[class]
	}
	return choice[T]{ns: order.first(), class: class}
}

// ready indexes the namespaces that may be written now: in two orders for each class, and in a
// separate heap for the failing ones. The other namespaces wait for a time, for an answer, or for
// an item. So adding or taking an item never visits the namespaces that cannot be written, of which
// there may be thousands.
type ready[T Item] struct {
	byAge        [request.Classes]order[T]
	byLastServed [request.Classes]order[T]
	failing      order[T]
	// delayed holds the namespaces whose gate is closed until a certain time.
	delayed order[T]
}

// heapIndex holds the index of one namespace in each heap of the type ready.
type heapIndex struct {
	byAge        [request.Classes]int32
	byLastServed [request.Classes]int32
	failing      int32
	delayed      int32
}

// absent is the index of a namespace in a heap that does not contain it.
const absent = -1

func newHeapIndex() heapIndex {
	index := heapIndex{failing: absent, delayed: absent}
	for class := range index.byAge {
		index.byAge[class] = absent
		index.byLastServed[class] = absent
	}
	return index
}

func newReady[T Item]() *ready[T] {
	r := &ready[T]{}
	for class := range r.byAge {
		r.byAge[class].Before = func(a, b *namespace[T]) bool {
			return a.items[class].first().number < b.items[class].first().number
		}
		r.byAge[class].Place = func(ns *namespace[T]) *int32 { return &ns.heapIndex.byAge[class] }
		r.byLastServed[class].Before = func(a, b *namespace[T]) bool {
			if a.lastServed[class] != b.lastServed[class] {
				return a.lastServed[class] < b.lastServed[class]
			}
			// Among namespaces that were never written, the newest comes first. Otherwise it would
			// have to wait for the hundreds of other namespaces that are new after a restart
			// (TestNewNamespaceAmongNewOnes). The other new namespaces get their turn by age.
			return b.items[class].first().number < a.items[class].first().number
		}
		r.byLastServed[class].Place = func(ns *namespace[T]) *int32 { return &ns.heapIndex.byLastServed[class] }
	}
	byGate := func(a, b *namespace[T]) bool { return a.gate.until.Before(b.gate.until) }
	r.failing.Before = byGate
	r.failing.Place = func(ns *namespace[T]) *int32 { return &ns.heapIndex.failing }
	r.delayed.Before = byGate
	r.delayed.Place = func(ns *namespace[T]) *int32 { return &ns.heapIndex.delayed }
	return r
}

// update moves a namespace to the heaps where it belongs. If a healthy namespace waits for room,
// update notes that in the window. It must be called after each change of a namespace, before any
// other namespace is moved.
//
// How many writes a namespace may have in flight depends on the window, too. But a change of the
// window requires no call of update: a namespace that waits because of this number has writes in
// flight, and the answer to any of them moves the namespace.
func (r *ready[T]) update(ns *namespace[T], w *window, now time.Time) {
	var isWritable, isFailing, isDelayed bool
	switch {
	case ns.waiting() == 0:
	case ns.inFlight >= ns.share(w):
		w.full = w.full || ns.health == healthy
	case !ns.gate.admits(now):
		isDelayed = true
	case ns.health == failing:
		isFailing = true
	default:
		isWritable = true
	}
	for class := range ns.items {
		waits := isWritable && ns.items[class].len() > 0
		r.byAge[class].set(ns, waits)
		r.byLastServed[class].set(ns, waits)
	}
	r.failing.set(ns, isFailing)
	r.delayed.set(ns, isDelayed)
}

// order is a heap of namespaces.
type order[T Item] struct{ heap.Heap[*namespace[T]] }

// first returns the first namespace, or nil if there is none.
func (o *order[T]) first() *namespace[T] {
	if len(o.Items) == 0 {
		return nil
	}
	return o.Items[0]
}

// set adds ns, or moves it to its place if it is already there. If isMember is false, set removes
// ns.
func (o *order[T]) set(ns *namespace[T], isMember bool) {
	index := o.Place(ns)
	switch {
	case isMember && *index == absent:
		o.Add(ns)
	case isMember:
		o.Fix(ns)
	case *index != absent:
		o.Remove(ns)
		*index = absent
	}
}

// entry is a waiting item. The entries are numbered in the order in which they were added.
type entry[T Item] struct {
	item   T
	number uint64
}

// fifo is a queue whose entries can be taken from both ends. When it grows, append does not copy
// the entries that were taken, so the queue needs at most about twice the memory of its greatest
// length.
type fifo[T Item] struct{ entries []entry[T] }

func (f *fifo[T]) len() int        { return len(f.entries) }
func (f *fifo[T]) first() entry[T] { return f.entries[0] }
func (f *fifo[T]) last() entry[T]  { return f.entries[len(f.entries)-1] }

func (f *fifo[T]) push(e entry[T]) { f.entries = append(f.entries, e) }

// pop removes and returns the first entry, or the last one if last is true. The queue must not be
// empty.
func (f *fifo[T]) pop(last bool) (e entry[T]) {
	rest := f.entries[1:]
	i := 0
	if last {
		i = len(rest)
		rest = f.entries[:i]
	}
	e, f.entries[i] = f.entries[i], e
	f.entries = rest
	if len(rest) == 0 {
		// Free the memory of a burst.
		f.entries = nil
	}
	return e
}

// purge removes the items that are gone, and frees their memory.
func (f *fifo[T]) purge() {
	var left []entry[T]
	for _, e := range f.entries {
		if !e.item.Gone() {
			left = append(left, e)
		}
	}
	f.entries = left
}
