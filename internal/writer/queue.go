// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"math/bits"
	"slices"
	"time"

	"github.com/eventseries/eventseries/internal/heap"
	"github.com/eventseries/eventseries/internal/request"
)

// choice is what is written next.
type choice[T Item] struct {
	ns     *namespace[T] // nil for nothing
	class  request.Class
	newest bool // of the class; else the oldest one
}

// slots says which class is written first in a slot. NoWrite means the most urgent class that
// waits. So each class has a share, and no class waits for ever behind more urgent ones.
var slots = [8]request.Class{
	1: request.FirstNormal, 2: request.FailedCreate, 3: request.Second, 4: request.Count, 5: request.FailedPatch,
}

// probeSlot is the one of failing namespaces, while there are others.
const probeSlot = 0

// slotOf returns the slot of the n-th write. Multiples of the golden ratio visit all slots evenly, also if one looks at
// every second or every fifth of them only. Otherwise namespaces that are busy by turns could miss the same slots for ever.
func slotOf(n uint64) int {
	return int(uint32(n) * 2654435769 >> 29)
}

// turnEvery says which writes of a class are for its namespaces in turn. All others are for its oldest item. Two
// requirements meet here, which test/isolation (TestFloodInOneNamespace) holds:
//
//   - A flood in one namespace waits no more than twice as long as first in, first out would make it wait, because most
//     writes go by age. With every second one it waits two and a half times as long beside other Events.
//   - A quiet namespace does not wait for the flood of another, because some writes go to the namespaces in turn.
const turnEvery = 4

// chooseLocked returns what is to be written at now. If that is nothing, retry is when that
// may change by itself; zero if only an answer or a new item can change it.
func (w *Writer[T]) chooseLocked(now time.Time) (c choice[T], retry time.Time) {
	switch {
	case !w.server.admits(now):
		return c, w.server.until
	case w.server.closed() && w.probing != 0:
		return c, time.Time{}
	}
	for ns := w.ready.first(delayed); ns != nil && ns.gate.admits(now); ns = w.ready.first(delayed) {
		w.ready.update(ns, &w.window, now)
	}
	slot := slotOf(w.begun + 1)
	c = w.firstLocked(slots[slot])
	if c.ns != nil && !w.roomLocked() {
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
func (w *Writer[T]) firstLocked(class request.Class) (c choice[T]) {
	if w.ready.first(oldest+int(class)) == nil {
		class = request.FirstWarning
		for class < request.Classes && w.ready.first(oldest+int(class)) == nil {
			class++
		}
	}
	if class == request.Classes {
		return c
	}
	order := oldest
	if (w.written[class]+1)%turnEvery == 0 {
		order = turns
	}
	return choice[T]{ns: w.ready.first(order + int(class)), class: class}
}

// ready has the namespaces of which something may be written now: for each class two orders
// of them, and one of those that are failing. Others wait for a time, for an answer, or for
// an item. So neither taking an item nor adding one looks at namespaces that cannot be
// written, of which there may be thousands.
type ready[T Item] struct {
	heaps [places]heap.Heap[*namespace[T]]
}

func newReady[T Item]() *ready[T] {
	r := &ready[T]{}
	for i := range r.heaps {
		var before func(a, b *namespace[T]) bool
		switch class := i % int(request.Classes); {
		case i < turns:
			before = func(a, b *namespace[T]) bool {
				return a.items[class].first().number < b.items[class].first().number
			}
		case i < probes:
			before = func(a, b *namespace[T]) bool {
				// Of those that were never written the newest: it need not wait for all others, which the
				// turns by age will reach.
				return a.served[class] < b.served[class] ||
					a.served[class] == b.served[class] && b.items[class].first().number < a.items[class].first().number
			}
		default:
			before = func(a, b *namespace[T]) bool { return a.gate.until.Before(b.gate.until) }
		}
		r.heaps[i] = heap.Heap[*namespace[T]]{
			Before: before, Place: func(ns *namespace[T]) *int32 { return &ns.places[i] },
		}
	}
	return r
}

// update puts a namespace where it belongs. It must be called after each change of it, before
// any other namespace is put anywhere.
func (r *ready[T]) update(ns *namespace[T], w *window, now time.Time) {
	in := uint(0)
	switch {
	case ns.waiting() == 0:
	case ns.underway >= ns.share(w):
		w.full = w.full || ns.health == healthy
	case !ns.gate.admits(now):
		in = 1 << delayed
	case ns.health == failing:
		in = 1 << probes
	default:
		for class := request.FirstWarning; class < request.Classes; class++ {
			if ns.items[class].len() > 0 {
				in |= 1<<(oldest+int(class)) | 1<<(turns+int(class))
			}
		}
	}
	for all := ns.in | in; all != 0; all &= all - 1 {
		i := bits.TrailingZeros(all)
		switch heap := &r.heaps[i]; {
		case ns.in&in>>i&1 == 1:
			heap.Fix(ns)
		case in>>i&1 == 1:
			heap.Add(ns)
		default:
			heap.Remove(ns)
		}
	}
	ns.in = in
}

func (r *ready[T]) first(i int) *namespace[T] {
	if len(r.heaps[i].Items) == 0 {
		return nil
	}
	return r.heaps[i].Items[0]
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
		f.entries = nil // a burst leaves nothing behind
	}
	return e
}

// purge removes the items that are gone.
func (f *fifo[T]) purge() {
	f.entries = slices.DeleteFunc(f.entries, func(e entry[T]) bool { return e.item.Gone() })
}
