// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

// entry is an item that waits. Numbers say which came first.
type entry[T any] struct {
	item   T
	number uint64
}

// fifo is a queue that needs no more than about twice the memory of its longest. The last
// entry can be taken, too.
type fifo[T any] struct {
	entries []entry[T]
	head    int // index of the first one; those before are zero
}

func (f *fifo[T]) len() int        { return len(f.entries) - f.head }
func (f *fifo[T]) first() entry[T] { return f.entries[f.head] }
func (f *fifo[T]) last() entry[T]  { return f.entries[len(f.entries)-1] }

func (f *fifo[T]) push(e entry[T]) {
	if len(f.entries) == cap(f.entries) && 2*f.head > len(f.entries) { // there is room at the front
		n := copy(f.entries, f.entries[f.head:])
		clear(f.entries[n:])
		f.entries, f.head = f.entries[:n], 0
	}
	f.entries = append(f.entries, e)
}

// pop takes the first entry, which must exist.
func (f *fifo[T]) pop() (e entry[T]) {
	e, f.entries[f.head] = f.entries[f.head], e
	f.head++
	f.trim()
	return e
}

// popLast takes the last entry, which must exist.
func (f *fifo[T]) popLast() (e entry[T]) {
	last := len(f.entries) - 1
	e, f.entries[last] = f.entries[last], e
	f.entries = f.entries[:last]
	f.trim()
	return e
}

// maxSpare is how many entries an empty queue keeps room for.
const maxSpare = 64

// trim makes all room available when nothing is left.
func (f *fifo[T]) trim() {
	if f.head == len(f.entries) {
		if f.entries, f.head = f.entries[:0], 0; cap(f.entries) > maxSpare {
			f.entries = nil
		}
	}
}
