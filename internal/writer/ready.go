// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"time"

	"github.com/eventseries/eventseries/internal/heap"
	"github.com/eventseries/eventseries/internal/request"
)

// ready has the namespaces of which something may be written now: for each class two orders
// of them, and one of those that are failing. Others wait for a time, for an answer, or for
// an item. So neither taking an item nor adding one looks at namespaces that cannot be
// written, of which there may be thousands.
type ready[T any] struct {
	heaps [places]heap.Heap[*namespace[T]]
}

func newReady[T any]() *ready[T] {
	r := &ready[T]{}
	for i := range r.heaps {
		var before func(a, b *namespace[T]) bool
		switch class := i % int(request.Classes); {
		case i < turns:
			before = func(a, b *namespace[T]) bool {
				return a.items[class].first().number < b.items[class].first().number
			}
		case i < probes:
			before = func(a, b *namespace[T]) bool { return a.served[class] < b.served[class] }
		case i == probes:
			before = func(a, b *namespace[T]) bool { return a.gate.until.Before(b.gate.until) }
		case i == delayed:
			before = func(a, b *namespace[T]) bool { return a.wakeAt.Before(b.wakeAt) }
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
	room, open, creates := ns.underway < ns.share(w.limit), ns.gate.admits(now), ns.admitsCreates(now)
	w.full = w.full || !room && ns.healthy && ns.waiting > 0
	for class := request.FirstWarning; class < request.Classes; class++ {
		may := room && open && !ns.failing && ns.admits(class, now)
		r.set(oldest+int(class), ns, may)
		r.set(turns+int(class), ns, may)
	}
	mayProbe := room && open && ns.failing
	if mayProbe {
		class, _ := ns.probe(now)
		mayProbe = class != request.NoWrite
	}
	r.set(probes, ns, mayProbe)
	if ns.wakeAt = ns.creates; !open {
		ns.wakeAt = ns.gate.until
	}
	r.set(delayed, ns, room && ns.waiting > 0 && !(open && creates))
}

// set says whether a namespace is in a heap, and where its place is now.
func (r *ready[T]) set(i int, ns *namespace[T], in bool) {
	switch is := ns.places[i] != heap.Out; {
	case is && in:
		r.heaps[i].Fix(ns)
	case is:
		r.heaps[i].Remove(ns)
	case in:
		r.heaps[i].Add(ns)
	}
}

func (r *ready[T]) first(i int) *namespace[T] {
	if len(r.heaps[i].Items) == 0 {
		return nil
	}
	return r.heaps[i].Items[0]
}
