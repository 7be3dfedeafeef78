// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

// fifo is a queue that needs no more than about twice the memory of its longest.
type fifo[T any] struct {
	items []T
	head  int // index of the first one; those before are zero
}

func (f *fifo[T]) len() int { return len(f.items) - f.head }

func (f *fifo[T]) push(item T) {
	if len(f.items) == cap(f.items) && 2*f.head > len(f.items) { // there is room at the front
		n := copy(f.items, f.items[f.head:])
		clear(f.items[n:])
		f.items, f.head = f.items[:n], 0
	}
	f.items = append(f.items, item)
}

// pop takes the first item, which must exist.
func (f *fifo[T]) pop() (item T) {
	item, f.items[f.head] = f.items[f.head], item
	if f.head++; f.head == len(f.items) {
		f.items, f.head = f.items[:0], 0
	}
	return item
}
