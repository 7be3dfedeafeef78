// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import "slices"

// entry is an item that waits. Numbers say which came first.
type entry[T Item] struct {
	item   T
	number uint64
}

// fifo is a queue whose last entry can be taken, too. When it must grow, append copies only
// what is left, so it needs no more than about twice the memory of its longest.
type fifo[T Item] struct{ entries []entry[T] }

func (f *fifo[T]) len() int        { return len(f.entries) }
func (f *fifo[T]) first() entry[T] { return f.entries[0] }
func (f *fifo[T]) last() entry[T]  { return f.entries[len(f.entries)-1] }

func (f *fifo[T]) push(e entry[T]) { f.entries = append(f.entries, e) }

// pop takes the first or the last entry. There must be one.
func (f *fifo[T]) pop(last bool) (e entry[T]) {
	rest := f.entries[1:]
	i := 0
	if last {
		i = len(rest)
		rest = f.entries[:i]
	}
	e, f.entries[i] = f.entries[i], e
	if f.entries = rest; len(rest) == 0 {
		f.entries = nil // a burst leaves nothing behind
	}
	return e
}

// purge removes the items that are gone.
func (f *fifo[T]) purge() {
	f.entries = slices.DeleteFunc(f.entries, func(e entry[T]) bool { return e.item.Gone() })
}
