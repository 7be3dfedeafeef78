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

// remove takes a namespace out of all heaps. It must be called before a change of what they
// are ordered by, and put after it.
func (r *ready[T]) remove(ns *namespace[T]) {
	for i := range r.heaps {
		if ns.places[i] != heap.Out {
			r.heaps[i].Remove(ns)
		}
	}
}

// put adds a namespace to the heaps that it belongs to.
func (r *ready[T]) put(ns *namespace[T], w *window, now time.Time) {
	if ns.waiting == 0 {
		return
	}
	if ns.underway >= ns.share(w.limit) {
		w.full = w.full || ns.healthy
		return
	}
	open := ns.gate.admits(now)
	if !open || !ns.admitsCreates(now) {
		if ns.wakeAt = ns.creates; !open {
			ns.wakeAt = ns.gate.until
		}
		r.heaps[delayed].Add(ns)
	}
	switch {
	case !open:
		return
	case ns.failing:
		if class, _ := ns.probe(now); class != request.NoWrite {
			r.heaps[probes].Add(ns)
		}
		return
	}
	for class := request.FirstWarning; class < request.Classes; class++ {
		if ns.admits(class, now) {
			r.heaps[oldest+int(class)].Add(ns)
			r.heaps[turns+int(class)].Add(ns)
		}
	}
}

func (r *ready[T]) first(i int) *namespace[T] {
	if len(r.heaps[i].Items) == 0 {
		return nil
	}
	return r.heaps[i].Items[0]
}
