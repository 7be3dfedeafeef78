// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"time"

	"github.com/eventseries/eventseries/internal/heap"
	"github.com/eventseries/eventseries/internal/request"
)

// choice is what is written next.
type choice[T Item] struct {
	// ns is nil for nothing.
	ns    *namespace[T]
	class request.Class
	// newest says that the newest item of the class is next, and not the oldest one.
	newest bool
}

// slots says which class is written first in a slot. NoWrite means the most urgent class that
// waits. So each class has a share, because otherwise a component that has more Warnings than
// its client may send would never write a count (TestOrder).
var slots = [8]request.Class{
	1: request.FirstNormal,
	2: request.FailedCreate,
	3: request.Second,
	4: request.Count,
	5: request.FailedPatch,
}

// probeSlot is the slot of failing namespaces, while there are others. They have one, because
// otherwise a namespace that is repaired would wait for the end of a flood in another one.
const probeSlot = 0

// slotOf returns the slot of the n-th write. Multiples of the golden ratio visit all slots evenly, also if one looks at
// every second or every fifth of them only. If slots came in turn, a namespace that is written alternately with another
// would meet every second slot only, and would never write some of its classes (TestOrderOfBusyNamespaces).
func slotOf(n uint64) int {
	return int(uint32(n) * 2654435769 >> 29)
}

// turnEvery says which writes of a class are for its namespaces in turn. All others are for its oldest item. Two
// requirements meet here, which test/isolation (TestFloodInOneNamespace) holds:
//
//   - A flood in one namespace waits no more than twice as long as first in, first out would make it wait, because most
//     writes go by age. With every second one it waits 2.3 times as long beside other Events.
//   - A quiet namespace does not wait for the flood of another, because some writes go to the namespaces in turn.
//
// Each class has both orders, because a flood comes in several classes at once (TestQuietNamespaceInEachClass).
const turnEvery = 4

// chooseLocked returns what is to be written at now. If that is nothing, retry is when that
// may change by itself; zero if only an answer or a new item can change it.
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

// roomLocked reports whether there is room in the window.
func (w *Writer[T]) roomLocked() bool {
	return len(w.inFlight)-min(w.outsideWindow, maxOutsideWindow) < w.window.limit
}

// firstLocked returns the first item of a class, if there is one, or else of the most
// urgent class that there is.
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

// ready has the namespaces of which something may be written now: for each class two orders
// of them, and one of those that are failing. Others wait for a time, for an answer, or for
// an item. So neither taking an item nor adding one looks at namespaces that cannot be
// written, of which there may be thousands.
type ready[T Item] struct {
	byAge        [request.Classes]order[T]
	byLastServed [request.Classes]order[T]
	failing      order[T]
	// delayed has those that wait for a time.
	delayed order[T]
}

// heapIndex is where a namespace stands in the heaps of ready.
type heapIndex struct {
	byAge        [request.Classes]int32
	byLastServed [request.Classes]int32
	failing      int32
	delayed      int32
}

// absent is the index in a heap that does not have the namespace.
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
			// Of those that were never written the newest is first, because otherwise it would wait for hundreds
			// of others that are new after a restart, too (TestNewNamespaceAmongNewOnes). The others have their
			// turn by age.
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

// update puts a namespace where it belongs, and notes in the window that a healthy one waits for
// room. It must be called after each change of the namespace, before any other namespace is put
// anywhere. The share of a namespace follows the window, too, but a namespace that waits for its
// share has writes in flight, and moves with the next answer to one of them.
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

// first returns the first namespace, or nil.
func (o *order[T]) first() *namespace[T] {
	if len(o.Items) == 0 {
		return nil
	}
	return o.Items[0]
}

// set adds ns or moves it to its place, or removes it.
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

// entry is an item that waits. Numbers say which came first.
type entry[T Item] struct {
	item   T
	number uint64
}

// fifo is a queue whose last entry can be taken, too. When it must grow, append copies only
// what is left, so it needs no more than about twice the memory of its longest.
type fifo[T Item] struct{ entries []entry[T] }

func (f *fifo[T]) len() int        { return len(f.entries) }
func (f *fifo[T]) first() entry[T] { return f.entries[0] }
func (f *fifo[T]) last() entry[T]  { return f.entries[len(f.entries)-1] }

func (f *fifo[T]) push(e entry[T]) { f.entries = append(f.entries, e) }

// pop takes the first or the last entry. There must be one.
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
		// A burst leaves no memory behind.
		f.entries = nil
	}
	return e
}

// purge removes the items that are gone, and their memory with them.
func (f *fifo[T]) purge() {
	var left []entry[T]
	for _, e := range f.entries {
		if !e.item.Gone() {
			left = append(left, e)
		}
	}
	f.entries = left
}
