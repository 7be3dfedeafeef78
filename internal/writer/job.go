// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import "time"

// job is an item on its way: between take and done.
type job[T any] struct {
	id   uint64 // from 1; what a gate knows its probe by
	item T
	op   Op
	lane *lane[T]
	more bool // other items waited when it was taken
}

// take finds the next item that may be written. If there is none, retry is when
// a closed gate should be asked again; zero means that only an answer or a new
// item can change anything.
func (w *Writer[T]) take() (j job[T], retry time.Time, ok bool) {
	now := w.clock.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	if ok, retry := w.server.admits(now); !ok {
		return j, retry, false
	}
	w.turns.wake(now)
	for l := w.turns.next(); l != nil; l = w.turns.next() {
		if l.inflight >= w.perLane() {
			continue // an answer puts it in line again
		}
		item, op, at := l.take(now, w.jobs+1)
		if op == Nothing {
			w.restLocked(l, at, now)
			continue
		}
		if l.len() > 0 {
			w.turns.join(l)
		}
		w.jobs++
		w.waiting--
		w.server.enter(w.jobs)
		return job[T]{id: w.jobs, item: item, op: op, lane: l, more: w.waiting > 0}, time.Time{}, true
	}
	return j, w.turns.earliest(), false
}

// restLocked takes care of a lane that has nothing to write now: it is asked
// again at a time, or it is forgotten, or an answer or a new item will tell.
func (w *Writer[T]) restLocked(l *lane[T], at, now time.Time) {
	switch {
	case l.removable(now):
		w.removeLocked(l)
		return
	case l.idle():
		at = l.keepUntil()
	}
	if !at.IsZero() {
		w.turns.wait(l, at)
	}
}

// perLane keeps one worker free of any single namespace: the writes of one
// whose admission webhook hangs must not hold up all the others.
func (w *Writer[T]) perLane() int { return max(1, w.workers-1) }

// done books the answer: gates first, then the item's next turn.
func (w *Writer[T]) done(j job[T], v Verdict, next Op) {
	now := w.clock.Now()
	w.mu.Lock()
	j.lane.inflight--
	w.judgeLocked(&j, v, now)
	if next != Nothing {
		// The lane may have been forgotten meanwhile only if it was empty and
		// nothing of it was in flight, which this item was.
		w.addLocked(j.lane, j.item, next)
	}
	w.turns.join(j.lane)
	var refused []T
	if v.Gate == Creates {
		refused = j.lane.drainCreates()
		w.waiting -= len(refused)
	}
	more := w.waiting > 0
	w.mu.Unlock()
	if more {
		w.signal()
	}
	for _, item := range refused {
		w.refuse(item, v)
	}
}

// judgeLocked closes the gate that the answer is about, and opens those of
// which it says that all is well.
func (w *Writer[T]) judgeLocked(j *job[T], v Verdict, now time.Time) {
	l := j.lane
	probedServer, probedLane, probedCreates := w.server.leave(j.id), l.all.leave(j.id), l.create.leave(j.id)
	if v.Action == Skip {
		return
	}
	switch v.Gate {
	case Server:
		w.server.shut(now, v.Wait, probedServer, w.jitter)
	case Namespace:
		l.all.shut(now, v.Wait, probedLane, w.jitter)
		if v.Unanswered && probedServer || v.Timeout && w.timedOutElsewhere(l) {
			w.server.shut(now, v.Wait, probedServer, w.jitter)
		}
	case Creates:
		l.create.shut(now, v.Wait, probedCreates, w.jitter)
	}
	if v.Timeout {
		w.timedOutIn = l.namespace
	}
	if v.Unanswered {
		return
	}
	w.timedOutIn = ""
	if v.Gate != Server {
		w.server.pass(now, probedServer)
	}
	if v.Gate == Open || v.Gate == Creates {
		l.all.pass(now, probedLane)
	}
	if v.Gate == Open && j.op == Create {
		l.create.pass(now, probedCreates)
	}
}

// timedOutElsewhere tells whether the answer before this one was a timeout in
// another namespace: two in a row are not one namespace's webhook.
func (w *Writer[T]) timedOutElsewhere(l *lane[T]) bool {
	return w.timedOutIn != "" && w.timedOutIn != l.namespace
}
