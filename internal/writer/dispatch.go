// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"context"
	"slices"
	"time"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/timing"
	"github.com/eventseries/eventseries/internal/usercode"
)

// maxOutsideWindow is the maximum number of writes in flight that do not count towards the window;
// any further ones count. Each write costs a goroutine of 8 KiB in this process and a seat in the
// API server's priority and fairness.
const maxOutsideWindow = 64

// maxErrorText is the maximum length, in bytes, of the rate limiter's error text.
const maxErrorText = 1000

// job is one write of an item, from the moment it is chosen until it is answered.
type job[T Item] struct {
	// id numbers the jobs from 1, in the order in which they begin.
	id     uint64
	item   T
	class  request.Class
	ns     *namespace[T]
	ctx    context.Context
	cancel context.CancelFunc
	began  time.Time
	// paced is the client's rate limiter if the writer has already waited for it on behalf of this
	// job. Otherwise it is the zero Limiter.
	paced request.Limiter
	// outsideWindow is true if the job does not count towards the window, because it is slow or its
	// namespace is failing.
	outsideWindow bool
	// isSlow is true if the job has taken longer than [timing.SlowWrite].
	isSlow bool
	// hasOpened is true if the job was a probe and opened the server's gate because it was slow.
	hasOpened bool
}

// Run dispatches writes until ctx ends, and then the writes' contexts end as well. It calls spawn
// to run each write in a goroutine. Several calls of Run may overlap.
func (w *Writer[T]) Run(ctx context.Context, spawn func(func())) {
	// The signal that woke this Run may be meant for another one, so pass it on.
	defer w.signal()
	slow := time.NewTimer(timing.SlowWrite)
	defer slow.Stop()
	for ctx.Err() == nil {
		if in := w.findSlow(); in > 0 {
			slow.Reset(in)
		}
		j, retry := w.next(ctx)
		if j != nil {
			spawn(func() { w.write(ctx, j) })
		} else {
			w.wait(ctx, retry, slow.C)
		}
	}
}

// wait blocks until the dispatcher may have something to do.
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

// next takes the item to be written next. If no item can be written now, it returns nil and the
// time retry of chooseLocked.
func (w *Writer[T]) next(ctx context.Context) (j *job[T], retry time.Time) {
	now := w.config.Clock.Now()
	w.mu.Lock()
	limiter := w.limiter
	if limiter == w.paced {
		defer w.mu.Unlock()
		return w.takeLocked(ctx, now)
	}
	c, retry := w.chooseLocked(now)
	w.mu.Unlock()
	if c.ns == nil {
		return nil, retry
	}
	paced, err := limiter.Pace(ctx)
	refused := request.RefusedByLimiter
	if err != nil {
		refused.Error = "client's rate limiter: " + usercode.Shorten(usercode.Sprintf("%v", err), maxErrorText)
	}
	now = w.config.Clock.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	if err == nil {
		w.paced = paced
	} else if ctx.Err() == nil {
		w.server.shut(now, refused, w.jitter)
	}
	// While the limiter was waiting, a more urgent item may have arrived, or a gate may have
	// closed.
	return w.takeLocked(ctx, now)
}

// takeLocked chooses the next item and makes a job of it. If no item can be written now, it returns
// nil and the time retry of chooseLocked.
func (w *Writer[T]) takeLocked(ctx context.Context, now time.Time) (j *job[T], retry time.Time) {
	c, retry := w.chooseLocked(now)
	ns := c.ns
	if ns == nil {
		return nil, retry
	}
	w.lastID++
	j = &job[T]{
		id:    w.lastID,
		class: c.class,
		ns:    ns,
		// Timeouts and slowness depend on the network, so they are measured in real time. Gates use
		// the configured clock.
		began: time.Now(),
		paced: w.paced,
	}
	w.paced = request.Limiter{}
	timeout := w.config.Timeout
	if ns.health == failing {
		// A probe may take as long as the back-off before it, so that a thousand hanging namespaces
		// all have their turns.
		timeout = min(timeout, max(timing.LeastProbe, ns.gate.pause))
		j.outsideWindow = true
		w.outsideWindow++
	} else {
		w.taken[c.class]++
	}
	j.ctx, j.cancel = context.WithTimeout(ctx, timeout)
	j.item = ns.items[c.class].pop(c.newest).item
	w.waiting--
	ns.inFlight++
	ns.lastServed[c.class] = j.id
	w.server.began(j.id)
	w.inFlight = append(w.inFlight, j)
	w.ready.update(ns, &w.window, now)
	return j, time.Time{}
}

// write sends j. If the client has no rate limiter, write goes on to send the next items on the
// same goroutine. If the client has a rate limiter, only the dispatcher takes items, because it
// waits for the rate limiter first.
func (w *Writer[T]) write(ctx context.Context, j *job[T]) {
	defer func() {
		if j != nil {
			// Attempt has ended the goroutine, as t.FailNow does in a test's sink. Queue the item
			// for the same write again.
			w.done(ctx, j, request.NoAnswer, j.class, true)
		}
	}()
	for j != nil {
		v, next := w.config.Attempt(j.ctx, j.item, j.paced)
		hasEnded := ctx.Err() != nil
		if hasEnded {
			// The write was cancelled, so its answer is no evidence about its namespace.
			v = request.Verdict{Action: request.Skip}
		}
		j = w.done(ctx, j, v, next, hasEnded)
	}
}

// done ends a job. It updates the window and the gates with the verdict, and queues the item for
// its next write. The parameter last is true if the goroutine of j runs no further job. If it is
// false, done returns the next job of the goroutine, or nil if there is none.
func (w *Writer[T]) done(ctx context.Context, j *job[T], v request.Verdict, next request.Class, last bool) *job[T] {
	j.cancel()
	now := w.config.Clock.Now()
	ns := j.ns
	w.mu.Lock()
	defer w.mu.Unlock()
	i := slices.Index(w.inFlight, j)
	w.inFlight = slices.Delete(w.inFlight, i, i+1)
	if j.outsideWindow {
		w.outsideWindow--
	}
	ns.inFlight--
	w.learnLocked(j, v, now)
	if v.Gate == request.Namespace || v.Gate == request.Shared {
		// The item may be at fault, rather than its namespace.
		next = next.Failed()
	}
	if next != request.NoWrite {
		w.pushLocked(ns, j.item, next)
	}
	w.ready.update(ns, &w.window, now)
	var following *job[T]
	if !last && w.limiter.None() {
		following, _ = w.takeLocked(ctx, now)
	}
	// While the window is full, the dispatcher has nothing to do. If ns must be probed earlier than
	// the dispatcher would wake up, its probe begins up to timing.SlowWrite late.
	if following == nil || w.waiting > 0 && w.roomLocked() {
		w.signal()
	}
	return following
}

// learnLocked lets the judge decide what an answer means, and updates the window and the gates.
func (w *Writer[T]) learnLocked(j *job[T], v request.Verdict, now time.Time) {
	ns := j.ns
	blame := w.judge.decide(&ns.record, answer{
		verdict: v,
		job:     j.id,
		lastID:  w.lastID,
		slow:    time.Since(j.began) > timing.SlowWrite,
		now:     now,
	})
	switch blame {
	case allWell:
		w.window.good(j.id, now)
		ns.gate = gate{}
	case overloaded:
		w.window.bad(j.id, w.lastID, now)
		ns.hold(now, v, w.jitter)
	case badItem, badNamespace:
		ns.hold(now, v, w.jitter)
	case unreachable:
		w.server.shut(now, v, w.jitter)
	}
	w.server.ended(j.id, j.hasOpened, blame != unreachable)
	if blame != noEvidence && blame != unreachable && !v.Unanswered {
		w.server.open()
	}
}

// findSlow finds the writes that have become slow, and no longer counts them towards the window, so
// that other writes can begin. It returns the time after which it must be called again, or 0 if it
// need not be called again.
func (w *Writer[T]) findSlow() (in time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, j := range w.inFlight {
		if j.isSlow {
			continue
		}
		left := timing.SlowWrite - time.Since(j.began)
		if left > 0 {
			// The jobs after j began later.
			in = left
			break
		}
		j.isSlow = true
		if !j.outsideWindow {
			j.outsideWindow = true
			w.outsideWindow++
		}
		j.hasOpened = w.server.openIfProbe(j.id)
	}
	return earlier(in, w.makeRoomLocked())
}

// makeRoomLocked cancels slow writes if too many are outside the window. It cancels a write at once
// if a later write in another namespace was answered before it. If no write has been answered for
// very long, it cancels only a few writes per second, because all writes may be slow. It returns
// the time after which it must be called again, or 0 if it need not be called again. A cancelled
// write that ignores the end of its context stays in flight, and therefore makes no room for
// others.
func (w *Writer[T]) makeRoomLocked() (in time.Duration) {
	tooMany := w.outsideWindow - maxOutsideWindow
	for _, j := range w.inFlight {
		if j.outsideWindow && j.ctx.Err() != nil {
			tooMany--
		}
	}
	var oldest *job[T]
	for _, j := range w.inFlight {
		if tooMany <= 0 {
			return 0
		}
		if !j.outsideWindow || j.ctx.Err() != nil {
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
	left := max(timing.HangingWrite-time.Since(oldest.began), timing.GiveUpEvery-time.Since(w.gaveUp))
	if left > 0 {
		return left
	}
	w.gaveUp = time.Now()
	oldest.cancel()
	return timing.GiveUpEvery
}

// earlier returns the shorter of two durations. A duration of 0 stands for no duration, so if one
// of them is 0, earlier returns the other one.
func earlier(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}
