// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"context"
	"slices"
)

// waiter waits until the occurrences that were in a backlog at one moment have
// left it. The lock of the backlog guards it.
type waiter struct {
	upTo uint64 // numbers beyond are later ones
	n    int
	done chan struct{} // closed when n is 0
}

func (w *waiter) left(o *occurrence) {
	if o.number > w.upTo {
		return
	}
	if w.n--; w.n == 0 {
		close(w.done)
	}
}

// wait blocks until all that q holds now is recorded or dropped, or ctx ends.
// It returns how many of those are still there.
func (q *backlog) wait(ctx context.Context) int {
	q.mu.Lock()
	if q.size == 0 {
		q.mu.Unlock()
		return 0
	}
	w := &waiter{upTo: q.number, n: q.size, done: make(chan struct{})}
	q.waiters = append(q.waiters, w)
	q.mu.Unlock()

	select {
	case <-w.done:
	case <-ctx.Done():
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiters = slices.DeleteFunc(q.waiters, func(other *waiter) bool { return other == w })
	return w.n
}
