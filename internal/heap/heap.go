// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package heap has a binary heap whose items store their own index, so that any item can be moved
// or removed in logarithmic time.
package heap

import "container/heap"

// Heap keeps its items so that Items[0] comes before all others. An item can be in several heaps at
// a time if it stores an index for each. A Heap is not safe for concurrent use.
type Heap[T any] struct {
	// Items are the items in heap order. Callers may read the slice, but must change it only
	// through the methods of Heap.
	Items []T
	// Before reports whether a comes before b.
	Before func(a, b T) bool
	// Place returns the variable in which an item stores its index.
	Place func(item T) *int32
}

// Add adds an item and sets its index.
func (h *Heap[T]) Add(item T) { heap.Push((*sorter[T])(h), item) }

// Fix moves an item to its new place after the result of Before has changed for it.
func (h *Heap[T]) Fix(item T) { heap.Fix((*sorter[T])(h), int(*h.Place(item))) }

// Remove removes an item, which must be in the heap. The index of the item is not valid afterwards.
func (h *Heap[T]) Remove(item T) { heap.Remove((*sorter[T])(h), int(*h.Place(item))) }

// sorter is the Heap as a [heap.Interface].
type sorter[T any] Heap[T]

func (s *sorter[T]) Len() int           { return len(s.Items) }
func (s *sorter[T]) Less(i, j int) bool { return s.Before(s.Items[i], s.Items[j]) }

func (s *sorter[T]) Swap(i, j int) {
	s.Items[i], s.Items[j] = s.Items[j], s.Items[i]
	*s.Place(s.Items[i]) = int32(i)
	*s.Place(s.Items[j]) = int32(j)
}

func (s *sorter[T]) Push(item any) {
	*s.Place(item.(T)) = int32(len(s.Items))
	s.Items = append(s.Items, item.(T))
}

func (s *sorter[T]) Pop() any {
	last := len(s.Items) - 1
	item := s.Items[last]
	clear(s.Items[last:])
	s.Items = s.Items[:last]
	return item
}
