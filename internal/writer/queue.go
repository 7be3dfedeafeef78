// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"time"

	"github.com/eventseries/eventseries/internal/heap"
	"github.com/eventseries/eventseries/internal/request"
)

// namespaceQueue is what waits in one namespace, by class.
type namespaceQueue[T any] struct {
	position[T]
	index     int // in Writer.order
	namespace string
	kept      bool // it is idle, and one of those that are kept
	items     [request.Classes]fifo[T]
	waiting   int // in all of them
	missed    missedTurns
	turn      request.Class // the last one, while the queue is suspect
	inFlight  int
	slow      int  // of them, those that have taken slowAfter
	failed    bool // the last answer was a bad one
	all       gate // for every write in the namespace
	create    gate // for creates only
}

func newNamespaceQueue[T any](namespace string) *namespaceQueue[T] {
	return &namespaceQueue[T]{position: position[T]{delayed: heap.Out}, namespace: namespace}
}

// large reports whether the queue has more memory than is worth keeping.
func (q *namespaceQueue[T]) large() bool {
	for class := range q.items {
		if cap(q.items[class].items) > maxKeptItems {
			return true
		}
	}
	return false
}

// maxKeptItems is how many items of a class a kept queue may have room for.
const maxKeptItems = 64

// closed reports whether a gate of the queue is closed.
func (q *namespaceQueue[T]) closed() bool { return q.all.closed() || q.create.closed() }

func (q *namespaceQueue[T]) add(item T, class request.Class) {
	q.items[class].push(item)
	q.waiting++
}

// suspect reports whether writes in the namespace may hang or fail.
func (q *namespaceQueue[T]) suspect() bool { return q.failed || q.slow > 0 }

// idle reports whether nothing waits in the queue or is under way.
func (q *namespaceQueue[T]) idle() bool { return q.waiting == 0 && q.inFlight == 0 }

// keepUntil returns how long an idle queue is kept for its closed gates, zero if all
// are open: a namespace that goes on failing must not begin with short waits again.
func (q *namespaceQueue[T]) keepUntil() (at time.Time) {
	for _, g := range []*gate{&q.all, &q.create} {
		if g.closed() {
			at = later(at, g.until.Add(longestWait))
		}
	}
	return at
}

// removable reports whether nothing would be forgotten with the queue.
func (q *namespaceQueue[T]) removable(now time.Time) bool {
	return q.idle() && !now.Before(q.keepUntil())
}

// take returns the next item of class whose gates admit it, as job id; of any class,
// in turns, if that is NoWrite. If there is none, retry is when a closed gate may open;
// zero if only an answer or a new item can change anything.
func (q *namespaceQueue[T]) take(
	now time.Time, id uint64, class request.Class,
) (item T, taken request.Class, retry time.Time) {
	if q.waiting == 0 {
		return item, request.NoWrite, time.Time{}
	}
	if ok, retry := q.all.admits(now); !ok {
		return item, request.NoWrite, retry
	}
	createOK, createRetry := q.create.admits(now)
	has := func(c request.Class) bool { return q.items[c].len() > 0 && (createOK || c.Op() != request.Create) }
	pop := (*fifo[T]).pop
	switch {
	case class != request.NoWrite:
		taken = q.missed.next(class, has)
	default:
		taken = q.nextOfSuspect(has)
		if !taken.HasFailed() {
			pop = (*fifo[T]).popLast // those before it may fail, too: the last one waits for none of them
		}
	}
	if taken == request.NoWrite {
		return item, taken, createRetry
	}
	item = pop(&q.items[taken])
	q.waiting--
	if taken.Op() == request.Create {
		q.create.enter(id)
	}
	q.all.enter(id)
	q.inFlight++
	return item, taken, time.Time{}
}

// nextOfSuspect returns the class that is next while writes fail: what has not failed,
// class by class in turn, and then the rest. What failed last may be what is wrong, and
// then more of its class keep the gate closed to all that the server would take.
func (q *namespaceQueue[T]) nextOfSuspect(waits func(request.Class) bool) request.Class {
	const classes = request.Classes - request.FirstWarning
	for _, failed := range []bool{false, true} {
		for i := range classes {
			class := request.FirstWarning + (q.turn+i)%classes
			if class.HasFailed() == failed && waits(class) {
				q.turn = class
				return class
			}
		}
	}
	return request.NoWrite
}

// drainCreates takes out all that waits for a Create.
func (q *namespaceQueue[T]) drainCreates() (items []T) {
	for _, class := range []request.Class{request.FirstWarning, request.FirstNormal, request.FailedCreate} {
		for q.items[class].len() > 0 {
			items = append(items, q.items[class].pop())
		}
	}
	q.waiting -= len(items)
	return items
}

// purge removes the items for which gone returns true.
func (q *namespaceQueue[T]) purge(gone func(T) bool) {
	for class := range q.items {
		items := &q.items[class]
		for range items.len() {
			if item := items.pop(); !gone(item) {
				items.push(item)
			} else {
				q.waiting--
			}
		}
	}
}
