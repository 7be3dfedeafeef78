// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package highest keeps the few of many values that rank highest.
package highest

import (
	"cmp"
	"slices"
)

// List keeps at most a fixed number of values. It does not depend on how many are added
// to it, so that a list of everything needs no memory for everything.
type List[T any] struct {
	limit int
	kept  []entry[T] // the highest first
}

type entry[T any] struct {
	rank, order int64
	value       T
}

// New returns an empty list of at most limit values.
func New[T any](limit int) *List[T] { return &List[T]{limit: limit} }

// Add keeps a value if it ranks high enough, and only then asks for it. Of two values of
// the same rank the one of lower order is kept.
func (l *List[T]) Add(rank, order int64, value func() T) {
	i, _ := slices.BinarySearchFunc(l.kept, rank, func(e entry[T], rank int64) int {
		return cmp.Or(cmp.Compare(rank, e.rank), cmp.Compare(e.order, order))
	})
	if i >= l.limit {
		return
	}
	l.kept = slices.Insert(l.kept[:min(len(l.kept), l.limit-1)], i, entry[T]{rank, order, value()})
}

// Values returns what was kept, the highest first.
func (l *List[T]) Values() []T {
	values := make([]T, len(l.kept))
	for i := range l.kept {
		values[i] = l.kept[i].value
	}
	return values
}
