// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"math/bits"
	"time"

	"github.com/eventseries/eventseries/internal/heap"
	"github.com/eventseries/eventseries/internal/request"
)

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
