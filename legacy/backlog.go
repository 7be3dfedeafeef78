// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"container/list"
	"sync"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

// backlog holds what waits for one sink: a lane per object, all lanes together
// bounded, and the accounts of it. Every occurrence is booked once on the way in
// and once on the way out, under the same lock that moves it.
type backlog struct {
	limit  int
	laneOf func(*corev1.Event) laneKey

	mu       sync.Mutex // guards the rest and what is in the lanes
	closed   bool       // admits nothing more
	lanes    map[laneKey]*lane
	size     int
	weight   int       // of all occurrences; what limit is about
	number   uint64    // of the last occurrence admitted
	normals  list.List // oldest first, across lanes
	warnings list.List
	waiters  []*waiter
	counters stats.Counters
}

func newBacklog(limit int, laneOf func(*corev1.Event) laneKey) *backlog {
	return &backlog{limit: limit, laneOf: laneOf, lanes: map[laneKey]*lane{}}
}

// drop is an occurrence that was dropped, for the log and the drop handler.
type drop struct {
	reason stats.Reason
	event  *corev1.Event
	err    error
}

// begin hands the head of l to an attempt, nil if all of l gave way.
func (q *backlog) begin(l *lane) *occurrence {
	q.mu.Lock()
	defer q.mu.Unlock()
	o := l.head()
	if o != nil {
		o.writing = true
	}
	return o
}

// release ends the attempt on l and returns what l is to be queued for next. A
// lane without occurrences is forgotten; last tells that it was the last one of
// a closed backlog.
func (q *backlog) release(l *lane) (next request.Op, last bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	o := l.head()
	if o == nil {
		if q.lanes[l.key] == l { // not forgotten or abandoned meanwhile
			delete(q.lanes, l.key)
			last = q.closed && len(q.lanes) == 0
		}
		return request.Nothing, last
	}
	o.writing = false
	l.op = o.needs()
	return l.op, false
}

// recorded books o as written by op. It does nothing if o was abandoned.
func (q *backlog) recorded(o *occurrence, op request.Op) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if o.inLane == nil {
		return
	}
	q.counters.Recorded++
	if op == request.Create {
		q.counters.Creates++
	} else {
		q.counters.Patches++
	}
	q.removeLocked(o)
}

// drop books o as dropped and reports whether it was still there to drop.
func (q *backlog) drop(o *occurrence, reason stats.Reason) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if o.inLane == nil {
		return false
	}
	q.dropLocked(o, reason)
	return true
}

// retry books that o has to be sent again.
func (q *backlog) retry(o *occurrence, unsure bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.counters.Retries++
	o.unsure = o.unsure || unsure
}

func (q *backlog) dropLocked(o *occurrence, reason stats.Reason) {
	q.counters.Dropped[reason]++
	if o.unsure {
		q.counters.Unconfirmed++
	}
	q.removeLocked(o)
}

func (q *backlog) removeLocked(o *occurrence) {
	o.lane.queue.Remove(o.inLane)
	o.age.Remove(o.inAge)
	o.inLane, o.inAge = nil, nil
	q.size--
	q.weight -= o.weight
	for _, w := range q.waiters {
		w.left(o)
	}
}

// close ends admission and reports whether nothing is left to write.
func (q *backlog) close() (last bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	q.closed = true
	return len(q.lanes) == 0
}

// abandon closes the backlog and drops all that is left.
func (q *backlog) abandon() (drops []drop, unconfirmed, objects int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	unconfirmed = -q.counters.Unconfirmed
	for key, l := range q.lanes {
		if l.head() != nil {
			objects++
		}
		for o := l.head(); o != nil; o = l.head() {
			o.unsure = o.unsure || o.writing // a sink that does not return may be done
			q.dropLocked(o, stats.Abandoned)
			drops = append(drops, drop{reason: stats.Abandoned, event: o.event})
		}
		delete(q.lanes, key)
	}
	return drops, unconfirmed + q.counters.Unconfirmed, objects
}

// sum adds the accounts of the backlog to total and returns what is pending and
// of how many objects. Pending is counted afresh, not derived.
func (q *backlog) sum(total *stats.Counters) (pending, objects int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, l := range q.lanes {
		if n := l.queue.Len(); n > 0 {
			pending += int64(n)
			objects++
		}
	}
	total.Add(&q.counters)
	return pending, objects
}
