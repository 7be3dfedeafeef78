// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"container/heap"
	"time"
)

// readyList says which queue is next. A queue that may have something to write is
// in one of two lists. A queue whose gate is closed waits for a time. Any other
// waits for an item or an answer. So neither taking an item nor adding one looks at
// queues that cannot be written, of which there may be thousands.
type readyList[T any] struct {
	healthy, suspect queueList[T]
	delayed          delayedQueues[T]
	lastWake         time.Time // when wake was last called
}

// queueList is a linked list of queues. The links are in the queues.
type queueList[T any] struct{ first, last *namespaceQueue[T] }

// position is the place of a queue in a readyList.
type position[T any] struct {
	list           *queueList[T] // nil: in none
	previous, next *namespaceQueue[T]
	readyAt        time.Time // while delayed
	delayed        int       // index among the delayed ones, or notDelayed
}

const notDelayed = -1

// add puts q at the end of the list that it belongs to, unless it is there already.
func (r *readyList[T]) add(q *namespaceQueue[T]) {
	to := &r.healthy
	if q.suspect() {
		to = &r.suspect
	}
	if q.list == to {
		return
	}
	r.remove(q)
	q.list, q.previous = to, to.last
	if to.last == nil {
		to.first = q
	} else {
		to.last.next = q
	}
	to.last = q
}

// delay lets q, which is in no list, wait until at.
func (r *readyList[T]) delay(q *namespaceQueue[T], at time.Time) {
	q.readyAt = at
	heap.Push(&r.delayed, q)
}

// remove takes q out wherever it is.
func (r *readyList[T]) remove(q *namespaceQueue[T]) {
	if q.list != nil {
		q.list.remove(q)
	}
	if q.position.delayed != notDelayed {
		heap.Remove(&r.delayed, q.position.delayed)
	}
}

func (l *queueList[T]) remove(q *namespaceQueue[T]) {
	if q.previous == nil {
		l.first = q.next
	} else {
		q.previous.next = q.next
	}
	if q.next == nil {
		l.last = q.previous
	} else {
		q.next.previous = q.previous
	}
	q.list, q.previous, q.next = nil, nil, nil
}

// pop takes the first queue out of the list, nil if there is none.
func (l *queueList[T]) pop() *namespaceQueue[T] {
	q := l.first
	if q != nil {
		l.remove(q)
	}
	return q
}

// wake adds the delayed queues whose time has come. If the clock was set back it adds
// all of them, because their times may now be hours away.
func (r *readyList[T]) wake(now time.Time) {
	setBack := now.Before(r.lastWake.Add(-skew))
	r.lastWake = now
	for len(r.delayed) > 0 && (setBack || !now.Before(r.delayed[0].readyAt)) {
		r.add(r.delayed[0])
	}
}

// nextWake returns when the next delayed queue is ready, zero if none is delayed.
func (r *readyList[T]) nextWake() time.Time {
	if len(r.delayed) == 0 {
		return time.Time{}
	}
	return r.delayed[0].readyAt
}

// delayedQueues is a heap by readyAt.
type delayedQueues[T any] []*namespaceQueue[T]

func (d delayedQueues[T]) Len() int           { return len(d) }
func (d delayedQueues[T]) Less(i, j int) bool { return d[i].readyAt.Before(d[j].readyAt) }
func (d delayedQueues[T]) Swap(i, j int) {
	d[i], d[j] = d[j], d[i]
	d[i].position.delayed, d[j].position.delayed = i, j
}

func (d *delayedQueues[T]) Push(x any) {
	q := x.(*namespaceQueue[T])
	q.position.delayed = len(*d)
	*d = append(*d, q)
}

func (d *delayedQueues[T]) Pop() any {
	last := len(*d) - 1
	q := (*d)[last]
	(*d)[last] = nil
	*d = (*d)[:last]
	q.position.delayed = notDelayed
	return q
}
