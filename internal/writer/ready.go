// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"time"

	"github.com/eventseries/eventseries/internal/heap"
	"github.com/eventseries/eventseries/internal/request"
)

// readyList says which queue is next. A queue that may have something to write is
// listed: once for each class that waits in it, or once if it is suspect. A queue whose
// gate is closed waits for a time. Any other waits for an item or an answer. So neither
// taking an item nor adding one looks at queues that cannot be written, of which there
// may be thousands.
type readyList[T any] struct {
	lists    [request.Classes]queueList[T] // by class; the first one is that of suspect queues
	delayed  heap.Heap[*namespaceQueue[T]]
	lastWake time.Time // when wake was last called
}

// suspects is the index of the list of suspect queues.
const suspects = request.NoWrite

// queueList is a linked list of queues. The links are in the queues.
type queueList[T any] struct{ first, last *namespaceQueue[T] }

// position is the place of a queue in a readyList.
type position[T any] struct {
	links   [request.Classes]link[T] // one for each list
	readyAt time.Time                // while delayed
	delayed int32                    // its place among the delayed ones
}

type link[T any] struct {
	listed         bool
	previous, next *namespaceQueue[T]
}

// add puts q at the end of the lists that it belongs to, where it is not there already.
// A queue in which nothing waits is listed, too: whoever takes it out removes it, unless
// more was added meanwhile.
func (r *readyList[T]) add(q *namespaceQueue[T]) {
	r.hurry(q)
	if q.suspect() {
		if !q.links[suspects].listed {
			r.remove(q)
			r.push(q, suspects)
		}
		return
	}
	r.unlist(q, suspects)
	if q.waiting == 0 {
		r.push(q, request.FirstWarning)
	}
	for class := request.FirstWarning; class < request.Classes; class++ {
		if q.items[class].len() > 0 {
			r.push(q, class)
		}
	}
}

// delay lets q wait until at.
func (r *readyList[T]) delay(q *namespaceQueue[T], at time.Time) {
	r.hurry(q)
	q.readyAt = at
	r.delayed.Add(q)
}

// hurry ends the delay of q.
func (r *readyList[T]) hurry(q *namespaceQueue[T]) {
	if q.position.delayed != heap.Out {
		r.delayed.Remove(q)
	}
}

// remove takes q out wherever it is.
func (r *readyList[T]) remove(q *namespaceQueue[T]) {
	for list := range request.Classes {
		r.unlist(q, list)
	}
	r.hurry(q)
}

// push puts q at the end of a list, unless it is there already.
func (r *readyList[T]) push(q *namespaceQueue[T], list request.Class) {
	if q.links[list].listed {
		return
	}
	l := &r.lists[list]
	q.links[list] = link[T]{listed: true, previous: l.last}
	if l.last == nil {
		l.first = q
	} else {
		l.last.links[list].next = q
	}
	l.last = q
}

// unlist takes q out of a list, if it is there.
func (r *readyList[T]) unlist(q *namespaceQueue[T], list request.Class) {
	at := q.links[list]
	if !at.listed {
		return
	}
	if at.previous == nil {
		r.lists[list].first = at.next
	} else {
		at.previous.links[list].next = at.next
	}
	if at.next == nil {
		r.lists[list].last = at.previous
	} else {
		at.next.links[list].previous = at.previous
	}
	q.links[list] = link[T]{}
}

// toEnd puts q at the end of a list.
func (r *readyList[T]) toEnd(q *namespaceQueue[T], list request.Class) {
	r.unlist(q, list)
	r.push(q, list)
}

// has reports whether a queue is listed.
func (r *readyList[T]) has(list request.Class) bool { return r.lists[list].first != nil }

// pop takes the first queue out of a list, nil if there is none.
func (r *readyList[T]) pop(list request.Class) *namespaceQueue[T] {
	q := r.lists[list].first
	if q != nil {
		r.unlist(q, list)
	}
	return q
}

// wake adds the delayed queues whose time has come. If the clock was set back it adds
// all of them, because their times may now be hours away.
func (r *readyList[T]) wake(now time.Time) {
	setBack := now.Before(r.lastWake.Add(-skew))
	r.lastWake = now
	for len(r.delayed.Items) > 0 && (setBack || !now.Before(r.delayed.Items[0].readyAt)) {
		r.add(r.delayed.Items[0])
	}
}

// nextWake returns when the next delayed queue is ready, zero if none is delayed.
func (r *readyList[T]) nextWake() time.Time {
	if len(r.delayed.Items) == 0 {
		return time.Time{}
	}
	return r.delayed.Items[0].readyAt
}

// newDelayed returns no delayed queues. They are ordered by readyAt.
func newDelayed[T any]() heap.Heap[*namespaceQueue[T]] {
	return heap.Heap[*namespaceQueue[T]]{
		Before: func(a, b *namespaceQueue[T]) bool { return a.readyAt.Before(b.readyAt) },
		Place:  func(q *namespaceQueue[T]) *int32 { return &q.position.delayed },
	}
}
