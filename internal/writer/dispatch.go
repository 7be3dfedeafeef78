// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"context"
	"slices"
	"time"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/timing"
)

// maxBeside bounds the writes under way beside the window; more take room in it. Each
// costs a goroutine of 8 KiB here and a seat at the API server.
const maxBeside = 64

// job is an item between take and done.
type job[T Item] struct {
	id     uint64 // from 1
	item   T
	class  request.Class
	ns     *namespace[T]
	ctx    context.Context
	cancel context.CancelFunc
	began  time.Time
	paced  request.Limiter // has let it pass, if any has
	beside bool            // it belongs beside the window, because it is slow or its namespace is failing
	opened bool            // it has opened the server's gate, because it was a probe and slow
}

// Run dispatches until ctx ends, which the writes get, too. spawn makes goroutines for them.
// Several Runs may overlap.
func (w *Writer[T]) Run(ctx context.Context, spawn func(func())) {
	defer w.signal() // what woke this one is for another one
	slow := time.NewTimer(timing.SlowWrite)
	defer slow.Stop()
	for ctx.Err() == nil {
		if in := w.findSlow(); in > 0 {
			slow.Reset(in)
		}
		if j, retry := w.next(ctx); j != nil {
			spawn(func() { w.write(ctx, j) })
		} else {
			w.wait(ctx, retry, slow.C)
		}
	}
}

// wait blocks until something may have changed.
func (w *Writer[T]) wait(ctx context.Context, retry time.Time, slow <-chan time.Time) {
	var due <-chan time.Time
	if !retry.IsZero() {
		timer := w.config.Clock.NewTimer(retry.Sub(w.config.Clock.Now()))
		defer timer.Stop()
		due = timer.C()
	}
	select {
	case <-slow:
	case <-w.wake:
	case <-due:
	case <-ctx.Done():
	}
}

// next takes the item that is to be written next. If there is none, retry is when that may
// change by itself.
func (w *Writer[T]) next(ctx context.Context) (j *job[T], retry time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.config.Clock.Now()
	if limiter := w.limiter; limiter != w.paced {
		if c, retry := w.chooseLocked(now); c.ns == nil {
			return nil, retry
		}
		w.mu.Unlock()
		paced, err := limiter.Pace(ctx)
		w.mu.Lock()
		if err != nil {
			return nil, now.Add(timing.LimiterPause)
		}
		w.paced = paced
		now = w.config.Clock.Now() // what is most urgent by now is next
	}
	j = &job[T]{}
	retry = w.takeLocked(ctx, j, now)
	if j.id == 0 {
		return nil, retry
	}
	return j, retry
}

// takeLocked makes the next item the job j. If there is none, j is the zero job, and retry is
// when that may change by itself.
func (w *Writer[T]) takeLocked(ctx context.Context, j *job[T], now time.Time) (retry time.Time) {
	*j = job[T]{}
	c, retry := w.chooseLocked(now)
	ns := c.ns
	if ns == nil {
		return retry
	}
	timeout, beside := w.config.Timeout, ns.health == failing
	if beside { // as long as the pause before it, so that a thousand that hang have their turns
		timeout = min(timeout, max(timing.LeastProbe, ns.gate.pause))
		w.beside++
	} else {
		w.written[c.class]++
	}
	w.begun++
	w.waiting--
	ns.underway++
	ns.served[c.class] = w.begun
	if w.server.closed() {
		w.probing = w.begun
	}
	*j = job[T]{
		id:     w.begun,
		item:   ns.items[c.class].pop(c.newest).item,
		class:  c.class,
		ns:     ns,
		beside: beside,
		began:  time.Now(),
		paced:  w.paced,
	}
	j.ctx, j.cancel = context.WithTimeout(ctx, timeout)
	w.paced = request.Limiter{}
	w.underway = append(w.underway, j)
	w.ready.update(ns, &w.window, now)
	return time.Time{}
}

// write sends j. If the client has no rate limiter, it goes on with the next items on the same goroutine.
// With a limiter only the dispatcher takes items, because it waits for the limiter first.
func (w *Writer[T]) write(ctx context.Context, j *job[T]) {
	defer func() {
		if j.id != 0 { // code of the caller has ended the goroutine (t.FailNow in a sink of a test): the same again
			w.done(ctx, j, request.NoAnswer, j.class, true)
		}
	}()
	for j.id != 0 {
		v, next := w.config.Attempt(j.ctx, j.item, j.paced)
		if ctx.Err() != nil {
			v.Action = request.Skip // it was cancelled, which says nothing about its namespace
		}
		w.done(ctx, j, v, next, ctx.Err() != nil)
	}
}

// done ends a job: the window and the gates learn from the verdict, and the item is queued
// for what it needs next. Unless it is the last one, j becomes the next job, if there is any.
func (w *Writer[T]) done(ctx context.Context, j *job[T], v request.Verdict, next request.Class, last bool) {
	j.cancel()
	w.mu.Lock()
	defer w.mu.Unlock()
	now, ns := w.config.Clock.Now(), j.ns
	i := slices.Index(w.underway, j)
	w.underway = slices.Delete(w.underway, i, i+1)
	if j.beside {
		w.beside--
		w.makeRoomLocked()
	}
	ns.underway--
	w.learnLocked(j, v, now)
	if v.Gate == request.Namespace || v.Gate == request.Shared {
		next = next.Failed() // it may be what is wrong, and not its namespace
	}
	if next != request.NoWrite {
		w.pushLocked(ns, j.item, next)
	}
	w.ready.update(ns, &w.window, now)
	*j = (job[T]{})
	if !last && w.limiter.None() {
		w.takeLocked(ctx, j, now)
	}
	if j.id == 0 || w.waiting > 0 && w.roomLocked() {
		w.signal()
	}
}

// learnLocked has an answer judged, and lets everything that depends on it obey.
func (w *Writer[T]) learnLocked(j *job[T], v request.Verdict, now time.Time) {
	ns := j.ns
	probe := j.id == w.probing || j.opened
	if j.id == w.probing {
		w.probing = 0
	}
	blame := w.judge.judge(&ns.record, answer{
		verdict: v,
		job:     j.id,
		begun:   w.begun,
		slow:    time.Since(j.began) > timing.SlowWrite,
		now:     now,
	})
	switch blame {
	case allWell:
		w.window.good(j.id, now)
		ns.gate = gate{}
	case overloaded:
		w.window.bad(j.id, w.begun, now)
		ns.hold(now, v, w.jitter)
	case badItem, badNamespace:
		ns.hold(now, v, w.jitter)
	case unreachable:
		w.server.shut(now, v, w.jitter)
	}
	if blame != noEvidence && blame != unreachable && !v.Unanswered {
		w.server = gate{}
	}
	switch {
	case probe && blame != unreachable:
		w.misled = false
	case j.opened:
		w.misled = true
	}
}

// findSlow lets writes that are slow make room for others, and returns when that may change
// by itself, in what time from now; 0 for not at all.
func (w *Writer[T]) findSlow() (in time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, j := range w.underway {
		if j.beside {
			continue
		}
		left := timing.SlowWrite - time.Since(j.began)
		if left > 0 { // those after it have even more time
			in = left
			break
		}
		j.beside = true
		w.beside++
		// It was not refused, so it has reached a server, and others need not wait for it. Some networks
		// take seconds to refuse, as where there is no route to a host.
		if j.id == w.probing && !w.misled {
			j.opened = true
			w.probing = 0
			w.server = gate{}
		}
	}
	return earlier(in, w.makeRoomLocked())
}

// makeRoomLocked cancels writes that take long if there are too many beside the window. Those
// that writes of other namespaces have overtaken are cancelled at once. If nobody has had an
// answer for very long, a few are cancelled a second and not all, because all may be slow. It
// returns in what time it must be called again, 0 for not at all. A write that ignores its
// context makes no room for more.
func (w *Writer[T]) makeRoomLocked() (in time.Duration) {
	tooMany := w.beside - maxBeside
	for _, j := range w.underway {
		if j.beside && j.ctx.Err() != nil {
			tooMany--
		}
	}
	var oldest *job[T]
	for _, j := range w.underway {
		if tooMany <= 0 {
			return 0
		}
		if !j.beside || j.ctx.Err() != nil {
			continue
		}
		if w.judge.overtaken(&j.ns.record, j.id) {
			j.cancel()
			tooMany--
		} else if oldest == nil {
			oldest = j
		}
	}
	if tooMany <= 0 || oldest == nil || w.judge.good >= oldest.id {
		return 0
	}
	left := max(timing.HangingWrite-time.Since(oldest.began), timing.GiveUpEvery-time.Since(w.madeRoom))
	if left > 0 {
		return left
	}
	w.madeRoom = time.Now()
	oldest.cancel()
	return timing.GiveUpEvery
}

// earlier returns the shorter one of two times to wait, of which 0 means none.
func earlier(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}
