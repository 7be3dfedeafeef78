// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

// fifo is a queue that needs no more than about twice the memory of its longest. The last
// item can be taken, too.
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
	f.head++
	f.trim()
	return item
}

// popLast takes the last item, which must exist.
func (f *fifo[T]) popLast() (item T) {
	last := len(f.items) - 1
	item, f.items[last] = f.items[last], item
	f.items = f.items[:last]
	f.trim()
	return item
}

// trim makes all room available when nothing is left.
func (f *fifo[T]) trim() {
	if f.head == len(f.items) {
		f.items, f.head = f.items[:0], 0
	}
}
