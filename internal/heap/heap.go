// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package heap has a heap whose items know their places in it.
package heap

import "container/heap"

// Heap has the item first that comes before all others. An item can be in several heaps if
// it has a place for each.
type Heap[T any] struct {
	Items  []T
	Before func(a, b T) bool
	Place  func(item T) *int32 // where an item keeps its index
}

// Add adds an item.
func (h *Heap[T]) Add(item T) { heap.Push((*sorter[T])(h), item) }

// Fix moves an item whose order has changed.
func (h *Heap[T]) Fix(item T) { heap.Fix((*sorter[T])(h), int(*h.Place(item))) }

// Remove removes an item.
func (h *Heap[T]) Remove(item T) { heap.Remove((*sorter[T])(h), int(*h.Place(item))) }

// sorter is a heap as container/heap works on it.
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
