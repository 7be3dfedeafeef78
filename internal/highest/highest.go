// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package highest keeps the few of many values that rank highest.
package highest

import (
	"cmp"
	"container/heap"
	"slices"
)

// List keeps at most a fixed number of values. It does not depend on how many are added
// to it, so that a list of everything needs no memory for everything.
type List[T any] struct {
	limit  int
	lowest entries[T]
}

type entry[T any] struct {
	rank, order int64
	value       T
}

// New returns an empty list of at most limit values.
func New[T any](limit int) *List[T] { return &List[T]{limit: max(limit, 0)} }

// Admits reports whether Add would keep a value of this rank. Of two values of the same
// rank the one of lower order is kept.
func (l *List[T]) Admits(rank, order int64) bool {
	if len(l.lowest) < l.limit {
		return true
	}
	return l.limit > 0 && l.lowest[0].less(rank, order)
}

// Add keeps value, if it ranks high enough.
func (l *List[T]) Add(rank, order int64, value T) {
	switch {
	case !l.Admits(rank, order):
	case len(l.lowest) < l.limit:
		heap.Push(&l.lowest, entry[T]{rank, order, value})
	default:
		l.lowest[0] = entry[T]{rank, order, value}
		heap.Fix(&l.lowest, 0)
	}
}

// Values returns what was kept, the highest first.
func (l *List[T]) Values() []T {
	slices.SortFunc(l.lowest, func(a, b entry[T]) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.order, b.order))
	})
	values := make([]T, len(l.lowest))
	for i := range l.lowest {
		values[i] = l.lowest[i].value
	}
	slices.Reverse(l.lowest) // it is a heap again: sorted, the lowest first
	return values
}

// less reports whether e ranks lower.
func (e *entry[T]) less(rank, order int64) bool {
	return e.rank < rank || e.rank == rank && e.order > order
}

// entries is a heap, the lowest first.
type entries[T any] []entry[T]

func (h entries[T]) Len() int           { return len(h) }
func (h entries[T]) Less(i, j int) bool { return h[i].less(h[j].rank, h[j].order) }
func (h entries[T]) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *entries[T]) Push(x any)        { *h = append(*h, x.(entry[T])) }
func (h *entries[T]) Pop() any {
	last := len(*h) - 1
	e := (*h)[last]
	*h = (*h)[:last]
	return e
}
