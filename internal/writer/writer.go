// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package writer brings an API server up to date: a queue of items that need a
// write, a few workers, one table that says what an answer means, and one
// back-off mechanism. Series and the lanes of the legacy recorder go through it
// alike.
//
//	Enqueue ──▶ lane (a namespace) ──▶ gate ──▶ worker ──▶ attempt ──▶ Verdict ──▶ gate, lane
//
// The writer knows nothing of what an item is: the attempt does the write and
// keeps the item's state. An item must not be enqueued again before its attempt
// has returned; the result says whether it needs another write.
package writer

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/lifecycle"
)

// Attempt does one write of item. It returns what the answer means and what the
// item needs next, and leaves queueing to the writer.
type Attempt[T any] func(ctx context.Context, item T) (Verdict, Op)

// Refuse tells that item, which waits for a Create, was refused along with
// another one of its namespace: the verdict concerns the namespace.
type Refuse[T any] func(item T, v Verdict)

// Writer is safe for concurrent use. No method blocks on I/O but the workers.
type Writer[T any] struct {
	attempt Attempt[T]
	refuse  Refuse[T]
	clock   clock.WithTicker
	workers int
	jitter  func(time.Duration) time.Duration

	mu         sync.Mutex // guards the rest
	lanes      map[string]*lane[T]
	order      []*lane[T] // the same lanes, to take turns
	turn       int
	server     gate
	timedOutIn *lane[T] // the last answer was a timeout here
	wake       chan struct{}
}

// New returns a writer without goroutines; items can be enqueued at once.
func New[T any](clk clock.WithTicker, workers int, attempt Attempt[T], refuse Refuse[T]) *Writer[T] {
	return &Writer[T]{
		attempt: attempt,
		refuse:  refuse,
		clock:   clk,
		workers: workers,
		jitter:  func(d time.Duration) time.Duration { return rand.N(d) + 1 },
		lanes:   map[string]*lane[T]{},
		wake:    make(chan struct{}, 1),
	}
}

// Start runs the workers in group until stop is closed. Every attempt gets ctx.
func (w *Writer[T]) Start(ctx context.Context, group *lifecycle.Group, stop <-chan struct{}) {
	for range w.workers {
		group.Go(func() { w.work(ctx, stop) })
	}
}

// Enqueue adds an item that needs op in namespace.
func (w *Writer[T]) Enqueue(item T, namespace string, op Op) {
	w.mu.Lock()
	w.laneLocked(namespace).add(item, op)
	w.mu.Unlock()
	w.signal()
}

// OpenGates forgets every back-off, so that all that waits is tried at once.
func (w *Writer[T]) OpenGates() {
	w.mu.Lock()
	w.server.open()
	for _, l := range w.order {
		l.all.open()
		l.create.open()
	}
	w.mu.Unlock()
	w.signal()
}

// signal wakes one worker; a worker that takes an item signals the next one.
func (w *Writer[T]) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// job is an item on its way.
type job[T any] struct {
	item T
	op   Op
	lane *lane[T]
	// probes says for which closed gates this is the one write that tells.
	serverProbe, laneProbe, createProbe bool
}

func (w *Writer[T]) work(ctx context.Context, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		j, retry, ok := w.take()
		if !ok {
			if !w.wait(retry, stop) {
				return
			}
			continue
		}
		w.signal()
		v, next := w.attempt(ctx, j.item)
		w.done(j, v, next)
		if v.Gate == Open && v.Wait > 0 && !w.pause(v.Wait, stop) {
			return
		}
	}
}

// wait blocks until there may be something to take, and reports whether to go on.
func (w *Writer[T]) wait(retry time.Time, stop <-chan struct{}) bool {
	var timer <-chan time.Time
	if !retry.IsZero() {
		t := w.clock.NewTimer(retry.Sub(w.clock.Now()))
		defer t.Stop()
		timer = t.C()
	}
	select {
	case <-w.wake:
	case <-timer:
	case <-stop:
		return false
	}
	return true
}

func (w *Writer[T]) pause(d time.Duration, stop <-chan struct{}) bool {
	t := w.clock.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C():
		return true
	case <-stop:
		return false
	}
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
	for range len(w.order) {
		if len(w.order) == 0 {
			break
		}
		w.turn %= len(w.order)
		l := w.order[w.turn]
		if l.removable(now) {
			w.removeLocked(w.turn)
			continue
		}
		w.turn++
		if l.inflight >= w.perLane() {
			continue
		}
		item, op, at := l.take(now)
		if op == Nothing {
			retry = earlier(retry, at)
			continue
		}
		w.server.probing = w.server.closed()
		return job[T]{
			item: item, op: op, lane: l,
			serverProbe: w.server.probing,
			laneProbe:   l.all.probing,
			createProbe: op == Create && l.create.probing,
		}, time.Time{}, true
	}
	return j, retry, false
}

// perLane keeps one worker free of any single namespace: the writes of one
// whose admission webhook hangs must not hold up all the others.
func (w *Writer[T]) perLane() int { return max(1, w.workers-1) }

// done books the answer: gates first, then the item's next turn.
func (w *Writer[T]) done(j job[T], v Verdict, next Op) {
	now := w.clock.Now()
	w.mu.Lock()
	j.lane.inflight--
	w.gatesLocked(&j, v, now)
	if next != Nothing {
		// The lane may have been forgotten meanwhile only if it was empty and
		// nothing of it was in flight, which this item was.
		j.lane.add(j.item, next)
	}
	var refused []T
	if v.Gate == Creates {
		refused = j.lane.drainCreates()
	}
	w.mu.Unlock()
	w.signal()
	for _, item := range refused {
		w.refuse(item, v)
	}
}

func (w *Writer[T]) gatesLocked(j *job[T], v Verdict, now time.Time) {
	w.releaseLocked(j)
	if v.Action == Skip {
		return
	}
	timedOutBefore := w.timedOutIn
	w.timedOutIn = nil
	switch v.Gate {
	case Server:
		w.server.shut(now, v.Wait, j.serverProbe, w.jitter)
	case Namespace:
		j.lane.all.shut(now, v.Wait, j.laneProbe, w.jitter)
		switch {
		case !v.Timeout:
			w.server.open() // it answered
		case timedOutBefore != nil && timedOutBefore != j.lane, j.serverProbe:
			// Two namespaces in a row: it is not one namespace's webhook.
			w.server.shut(now, v.Wait, j.serverProbe, w.jitter)
			w.timedOutIn = j.lane
		default:
			w.timedOutIn = j.lane
		}
	case Creates:
		w.server.open()
		j.lane.all.open()
		j.lane.create.shut(now, v.Wait, j.createProbe, w.jitter)
	case Open:
		if v.Wait > 0 { // not sent
			return
		}
		w.server.open()
		j.lane.all.open()
		if j.op == Create {
			j.lane.create.open()
		}
	}
}

// releaseLocked ends the item's role as a probe. Gates that nothing judges
// afterwards stay closed and let the next write through.
func (w *Writer[T]) releaseLocked(j *job[T]) {
	if j.serverProbe {
		w.server.probing = false
	}
	if j.laneProbe {
		j.lane.all.probing = false
	}
	if j.createProbe {
		j.lane.create.probing = false
	}
}

func (w *Writer[T]) laneLocked(namespace string) *lane[T] {
	l := w.lanes[namespace]
	if l == nil {
		l = newLane[T](namespace)
		w.lanes[namespace] = l
		w.order = append(w.order, l)
	}
	return l
}

func (w *Writer[T]) removeLocked(i int) {
	delete(w.lanes, w.order[i].namespace)
	last := len(w.order) - 1
	w.order[i], w.order[last] = w.order[last], nil
	w.order = w.order[:last]
}

// earlier returns the earlier of two times, where zero means never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
