// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"time"

	"github.com/eventseries/eventseries/internal/request"
)

// job is an item on its way: between take and done.
type job[T any] struct {
	id   uint64 // from 1; what a gate knows its probe by
	item T
	op   request.Op
	lane *lane[T]
	more bool // other items waited when it was taken
}

// suspectShare is how many items are taken for one of a suspect lane, while there
// are others: what is slow or fails may wait, and must get better all the same.
const suspectShare = 8

// take finds the next item that may be written and makes it the job of k. If there
// is none, retry is when a closed gate should be asked again; zero means that only
// an answer or a new item can change anything.
func (w *Writer[T]) take(k *worker[T]) (j job[T], retry time.Time, ok bool) {
	now := w.clock.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, g := range []*gate{&w.server, &w.pressure} {
		if ok, retry := g.admits(now); !ok {
			return j, retry, false
		}
	}
	w.turns.wake(now)
	for l := w.nextLocked(); l != nil; l = w.nextLocked() {
		if l.inflight >= w.perLane(l) {
			continue // an answer puts it in line again
		}
		item, op, at := l.take(now, w.jobs+1)
		if op == request.Nothing {
			w.restLocked(l, at, now)
			continue
		}
		if l.len() > 0 {
			w.turns.join(l)
		}
		w.jobs++
		w.waiting--
		w.server.enter(w.jobs)
		w.pressure.enter(w.jobs)
		j = job[T]{id: w.jobs, item: item, op: op, lane: l, more: w.waiting > 0}
		w.beginLocked(k, j)
		return j, time.Time{}, true
	}
	return j, w.turns.earliest(), false
}

// nextLocked takes the lane whose turn it is out of its line. A closed gate of the
// server is probed through a healthy lane, if one waits.
func (w *Writer[T]) nextLocked() *lane[T] {
	suspectsTurn := (w.jobs+1)%suspectShare == 0 && !w.server.closed() && !w.pressure.closed()
	if l := w.turns.healthy.first; l != nil && !(suspectsTurn && w.turns.suspect.first != nil) {
		return w.turns.healthy.next()
	}
	if w.turns.suspect.first != nil && !w.slow.full() {
		return w.turns.suspect.next()
	}
	if w.turns.suspect.first != nil {
		w.slow.cutOne()
	}
	return w.turns.healthy.next()
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

// perLane is how many writes a lane may have under way: one if it is suspect.
// One worker is kept free of any single namespace: the writes of one whose
// admission webhook hangs must not hold up all the others until that is known.
func (w *Writer[T]) perLane(l *lane[T]) int {
	if l.suspect() {
		return 1
	}
	return max(1, w.workers-1)
}

// done books the answer to the job of k: gates first, then the item's next turn.
// It returns whether k goes on.
func (w *Writer[T]) done(k *worker[T], v request.Verdict, next request.Op) (goOn bool) {
	now := w.clock.Now()
	w.mu.Lock()
	j, goOn := w.endLocked(k)
	w.judgeLocked(&j, v, now)
	if next != request.Nothing {
		// The lane may have been forgotten meanwhile only if it was empty and
		// nothing of it was in flight, which this item was.
		w.addLocked(j.lane, j.item, next)
	}
	w.turns.join(j.lane)
	var refused []T
	if v.Gate == request.Creates {
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
	return goOn
}

// judgeLocked closes the gate that the answer is about, and opens those of
// which it says that all is well.
func (w *Writer[T]) judgeLocked(j *job[T], v request.Verdict, now time.Time) {
	l := j.lane
	probedServer, probedPressure := w.server.leave(j.id), w.pressure.leave(j.id)
	probedLane, probedCreates := l.all.leave(j.id), l.create.leave(j.id)
	if v.Action == request.Skip {
		return
	}
	switch v.Gate {
	case request.Server:
		w.server.shut(now, v.Wait, probedServer, w.jitter)
	case request.Namespace, request.Shared:
		l.all.shut(now, v.Wait, probedLane, w.jitter)
		if !l.failed {
			w.blameLocked(l, v, now, probedServer, probedPressure)
		}
		l.failed = true
	case request.Creates:
		l.create.shut(now, v.Wait, probedCreates, w.jitter)
	}
	if v.Unanswered {
		return
	}
	if v.Gate != request.Server {
		w.server.pass(now, probedServer)
	}
	if v.Gate != request.Server && v.Gate != request.Shared {
		w.pressure.pass(now, probedPressure)
		w.blamedIn = ""
	}
	if v.Gate == request.Open || v.Gate == request.Creates {
		l.all.pass(now, probedLane)
		l.failed = l.all.closed()
	}
	if v.Gate == request.Open && j.op == request.Create {
		l.create.pass(now, probedCreates)
	}
}

// blameLocked considers whether what a lane met that was not known to fail is the
// server's fault. A lane that was known to fail says nothing new about the server.
func (w *Writer[T]) blameLocked(l *lane[T], v request.Verdict, now time.Time, probedServer, probedPressure bool) {
	if v.Unanswered && probedServer {
		w.server.shut(now, v.Wait, true, w.jitter)
	}
	if v.Gate != request.Shared {
		return
	}
	if w.blamedIn != "" && w.blamedIn != l.namespace {
		// The server's own word, in v.Wait, was for the namespace that heard it.
		w.pressure.shut(now, 0, probedPressure, w.jitter)
	}
	w.blamedIn = l.namespace
}
