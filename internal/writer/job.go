// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"cmp"
	"time"

	"github.com/eventseries/eventseries/internal/request"
)

// job is an item between take and done.
type job[T any] struct {
	id    uint64 // from 1; what a gate knows its probe by
	item  T
	class request.Class
	queue *namespaceQueue[T]
	more  bool // other items waited when it was taken
}

// take makes the next item that may be written at now the job of k. If there is none,
// retry is when a closed gate may open; zero if only an answer or a new item can
// change anything.
func (w *Writer[T]) take(k *worker[T], now time.Time) (j job[T], retry time.Time, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	k.leaveReserveLocked()
	for _, g := range []*gate{&w.server, &w.pressure} {
		if ok, retry := g.admits(now); !ok {
			return j, retry, false
		}
	}
	w.ready.wake(now)
	late, missed := w.lateLocked()
	for q, class := w.nextLocked(); q != nil; q, class = w.nextLocked() {
		if w.fullLocked(q) {
			continue // it is suspect, and an answer makes it ready again
		}
		item, taken, at := q.take(now, w.jobs+1, class)
		if taken == request.NoWrite {
			w.delayLocked(q, at, now)
			continue
		}
		if q.waiting > 0 {
			w.ready.add(q)
		}
		if late != nil {
			late.missed.add(missed)
			w.ready.toEnd(late, missed)
		}
		w.jobs++
		w.waiting--
		w.server.enter(w.jobs)
		w.pressure.enter(w.jobs)
		j = job[T]{id: w.jobs, item: item, class: taken, queue: q, more: w.waiting > 0}
		w.beginLocked(k, j)
		w.reserveLocked()
		return j, time.Time{}, true
	}
	return j, w.ready.nextWake(), false
}

// nextLocked takes the next queue out of its list, and says which class is to be taken
// of it: NoWrite if that is for a suspect queue to say. A closed gate of the server is
// probed through a healthy queue, if one is ready.
func (w *Writer[T]) nextLocked() (*namespaceQueue[T], request.Class) {
	if !w.suspectFirstLocked() {
		if q, class := w.popHealthyLocked(w.turn()); q != nil {
			return q, class
		}
	}
	if w.ready.has(suspects) && !w.detached.full() {
		return w.ready.pop(suspects), request.NoWrite
	}
	if w.ready.has(suspects) {
		w.detached.cancelOldest()
	}
	return w.popHealthyLocked(request.NoWrite)
}

// turn is the class whose turn it is.
func (w *Writer[T]) turn() request.Class { return turns[(w.jobs+1)%uint64(len(turns))] }

// suspectFirstLocked reports whether it is the turn of a suspect queue.
func (w *Writer[T]) suspectFirstLocked() bool {
	return (w.jobs+1)%uint64(len(turns)) == suspectTurn &&
		w.ready.has(suspects) && !w.server.closed() && !w.pressure.closed()
}

// popHealthyLocked takes out the next queue of the healthy ones that is not full, and says
// which class is to be taken of it.
func (w *Writer[T]) popHealthyLocked(preferred request.Class) (*namespaceQueue[T], request.Class) {
	var q *namespaceQueue[T]
	class := firstOf(preferred, func(class request.Class) bool {
		q = w.firstNotFullLocked(class)
		return q != nil
	})
	if q != nil {
		w.ready.unlist(q, class)
	}
	return q, class
}

// firstNotFullLocked returns the first queue of a class that is not full. A healthy one that
// is full keeps its place; there are fewer of them than workers. One that has become slow
// leaves the list, and an answer makes it ready again.
func (w *Writer[T]) firstNotFullLocked(class request.Class) *namespaceQueue[T] {
	q := w.ready.lists[class].first
	for q != nil && w.fullLocked(q) {
		full := q
		q = q.links[class].next
		if full.suspect() {
			w.ready.unlist(full, class)
		}
	}
	return q
}

// lateLocked returns the queue whose turn it is, and of which class, if the queue is full
// and must make up for the turn; else nil.
func (w *Writer[T]) lateLocked() (q *namespaceQueue[T], class request.Class) {
	if w.suspectFirstLocked() {
		return nil, request.NoWrite
	}
	if class = firstOf(w.turn(), w.ready.has); class == request.NoWrite {
		return nil, class
	}
	if q = w.ready.lists[class].first; q.suspect() || !w.fullLocked(q) {
		return nil, class
	}
	return q, class
}

// fullLocked reports whether as many writes of q are under way as may be.
func (w *Writer[T]) fullLocked(q *namespaceQueue[T]) bool { return q.inFlight >= w.maxInFlight(q) }

// delayLocked handles a queue that has nothing to write now. It is ready again at a
// time, or it is removed or kept, or an answer or a new item makes it ready.
func (w *Writer[T]) delayLocked(q *namespaceQueue[T], at, now time.Time) {
	switch {
	case q.removable(now):
		w.retireLocked(q)
		return
	case q.idle():
		at = q.keepUntil()
	}
	if !at.IsZero() {
		w.ready.delay(q, at)
	}
}

// maxInFlight is how many writes a queue may have under way: one if it is suspect.
// One worker is kept free of any single namespace: the writes of one whose admission
// webhook hangs must not hold up all the others until that is known.
func (w *Writer[T]) maxInFlight(q *namespaceQueue[T]) int {
	if q.suspect() {
		return 1
	}
	return max(1, w.workers-1)
}

// done ends the job of k at now: the gates learn from the verdict, and the item is queued
// for what it needs next. It reports whether k goes on.
func (w *Writer[T]) done(k *worker[T], now time.Time, v request.Verdict, next request.Class) (goOn bool) {
	w.mu.Lock()
	j, goOn := w.endLocked(k)
	w.updateGatesLocked(&j, v, now)
	if v.Gate == request.Namespace || v.Gate == request.Shared {
		next = next.Failed() // it may be what is wrong, and not its namespace
	}
	if next != request.NoWrite {
		// The queue cannot have been removed meanwhile: this item was in flight.
		w.addLocked(j.queue, j.item, next)
	}
	var refused []T
	if v.Gate == request.Creates {
		refused = j.queue.drainCreates()
		w.waiting -= len(refused)
	}
	if j.queue.idle() {
		w.delayLocked(j.queue, time.Time{}, now)
	} else {
		w.ready.add(j.queue)
	}
	more := w.waiting > 0
	w.mu.Unlock()
	if more {
		w.signal()
	}
	for _, item := range refused {
		w.refuse(item, v)
	}
	return goOn
}

// updateGatesLocked closes the gate that the verdict is about, and opens those that
// it shows to be healthy.
func (w *Writer[T]) updateGatesLocked(j *job[T], v request.Verdict, now time.Time) {
	q := j.queue
	probedServer, probedPressure := w.server.leave(j.id), w.pressure.leave(j.id)
	probedQueue, probedCreates := q.all.leave(j.id), q.create.leave(j.id)
	if v.Action == request.Skip {
		return
	}
	switch v.Gate {
	case request.Server:
		w.shutLocked(&w.server, v, now, probedServer)
	case request.Namespace, request.Shared:
		w.shutLocked(&q.all, v, now, probedQueue)
		if !q.failed { // else it says nothing new about the server
			w.blameServerLocked(q, v, now, probedServer, probedPressure)
		}
		q.failed = true
	case request.Creates:
		w.shutLocked(&q.create, v, now, probedCreates)
	}
	if v.Unanswered {
		return
	}
	if v.Gate != request.Server {
		w.server.pass(now, probedServer)
	}
	if v.Gate != request.Server && v.Gate != request.Shared {
		w.pressure.pass(now, probedPressure)
		w.lastShared = ""
	}
	if v.Gate == request.Open || v.Gate == request.Creates {
		q.all.pass(now, probedQueue)
		q.failed = q.all.closed()
	}
	if v.Gate == request.Open && j.class.Op() == request.Create {
		q.create.pass(now, probedCreates)
	}
}

// shutLocked closes a gate after the bad answer that v is about.
func (w *Writer[T]) shutLocked(g *gate, v request.Verdict, now time.Time, wasProbe bool) {
	g.shut(now, v.Wait, wasProbe, w.jitter)
	g.lastError = cmp.Or(v.Error, g.lastError)
}

// blameServerLocked closes the gates of the server if the bad answer in a healthy
// queue may be the server's fault.
func (w *Writer[T]) blameServerLocked(
	q *namespaceQueue[T], v request.Verdict, now time.Time, probedServer, probedPressure bool,
) {
	if v.Unanswered && probedServer {
		w.shutLocked(&w.server, v, now, true)
	}
	if v.Gate != request.Shared {
		return
	}
	if w.lastShared != "" && w.lastShared != q.namespace {
		v.Wait = 0 // it is for the namespace that got the answer
		w.shutLocked(&w.pressure, v, now, probedPressure)
	}
	w.lastShared = q.namespace
}
