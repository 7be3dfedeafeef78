// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"context"
	"slices"
	"time"

	"github.com/eventseries/eventseries/internal/lifecycle"
	"github.com/eventseries/eventseries/internal/request"
)

// team is what the workers of one Start have in common.
type team struct {
	ctx   context.Context
	stop  <-chan struct{}
	group *lifecycle.Group // nil: no worker can take the place of another
	// expire does the work of the timer, if none runs. It enqueues what is due and returns
	// when to call it again, or the zero time.
	expire func(now time.Time) (next time.Time)
}

// over reports whether the workers must return.
func (t *team) over() bool {
	select {
	case <-t.stop:
		return true
	case <-t.ctx.Done():
		return true
	default:
		return false
	}
}

// worker is one goroutine that writes, one item after another.
type worker[T any] struct {
	w          *Writer[T]
	team       *team
	ctx        context.Context
	cancel     context.CancelFunc
	onThrottle func() (sent func())
	timer      *time.Timer // for an attempt that takes long

	// The lock of the writer guards these.
	job       job[T] // the attempt under way; id 0: none
	began     time.Time
	armed     bool // the timer is set
	throttled bool // it waits for the rate limiter of the client
	slow      bool // it has taken slowAfter
	detached  bool // it does not count as a worker's
	replaced  bool // another worker has its place
	reserve   bool // it waits for an item, or is about to look for one
}

func (w *Writer[T]) newWorker(team *team) *worker[T] {
	k := &worker[T]{w: w, team: team}
	k.onThrottle = k.throttle
	k.ctx, k.cancel = context.WithCancel(team.ctx)
	k.timer = time.AfterFunc(slowAfter, func() { w.onTimer(k) })
	k.timer.Stop()
	return k
}

// reserveLocked starts a worker if none waits for an item and there is a place for one.
// Who takes an item does that, so that recording needs to start no goroutine, and an
// idle writer has one worker.
func (w *Writer[T]) reserveLocked() {
	if w.team == nil || w.reserve > 0 || w.working >= w.workers || w.team.over() {
		return
	}
	k := w.newWorker(w.team)
	w.joinLocked(k)
	w.team.group.Go(k.work)
}

// joinLocked gives k a place. It is about to look for an item.
func (w *Writer[T]) joinLocked(k *worker[T]) {
	w.running = append(w.running, k)
	w.working++
	w.reserve++
	k.reserve = true
}

// waits reports whether k, which has found nothing, is the one that waits. One is enough:
// whatever changes what may be written, and when, signals it.
func (k *worker[T]) waits() bool {
	k.w.mu.Lock()
	defer k.w.mu.Unlock()
	if k.w.reserve > 0 && k.team.group != nil {
		return false
	}
	k.reserve = true
	k.w.reserve++
	return true
}

func (k *worker[T]) leaveReserveLocked() {
	if k.reserve {
		k.reserve = false
		k.w.reserve--
	}
}

// Work writes in the caller's goroutine until stop is closed or ctx ends, in the
// place of the first worker and of the timer: at most one goroutine is there.
func (w *Writer[T]) Work(ctx context.Context, stop <-chan struct{}, expire func(now time.Time) (next time.Time)) {
	select {
	case w.inline <- struct{}{}:
		defer func() { <-w.inline }()
	case <-stop:
		return
	case <-ctx.Done():
		return
	}
	k := w.newWorker(&team{ctx: ctx, stop: stop, expire: expire})
	w.mu.Lock()
	started := w.team != nil
	if !started {
		w.joinLocked(k)
	}
	w.mu.Unlock()
	if started { // the workers do it
		k.wait(nil, time.Time{})
		k.cancel()
		return
	}
	k.work()
}

// work is the life of one worker.
func (k *worker[T]) work() {
	defer k.exit()
	for now, goOn := k.w.clock.Now(), true; goOn; {
		now, goOn = k.writeOne(now)
	}
}

// exit ends the worker. If an attempt is under way, the goroutine ends in the middle
// of it (runtime.Goexit, such as t.FailNow in a sink of a test): the item needs the
// same again, and another worker does it.
func (k *worker[T]) exit() {
	k.timer.Stop()
	k.cancel()
	if k.job.id != 0 {
		k.w.done(k, k.w.clock.Now(), request.NoAnswer, k.job.class)
	}
	k.w.mu.Lock()
	defer k.w.mu.Unlock()
	k.w.running = slices.DeleteFunc(k.w.running, func(other *worker[T]) bool { return other == k })
	if !k.replaced {
		k.w.working--
	}
	k.leaveReserveLocked()
	k.w.reserveLocked()
}

// writeOne does one write, or waits until there may be one. It returns the time
// afterwards, and whether to go on.
func (k *worker[T]) writeOne(now time.Time) (later time.Time, goOn bool) {
	select {
	case <-k.team.stop:
		return now, false
	case <-k.ctx.Done():
		return now, false
	default:
	}
	j, retry, ok := k.w.take(k, now)
	if !ok && k.team.expire != nil {
		if next := k.team.expire(now); retry.IsZero() || !next.IsZero() && next.Before(retry) {
			retry = next
		}
	}
	if !ok {
		goOn = k.waits() && k.wait(k.w.wake, retry)
		return k.w.clock.Now(), goOn
	}
	if j.more {
		k.w.signal()
	}
	v, next := k.w.attempt(k.ctx, j.item, k.onThrottle)
	now = k.w.clock.Now()
	goOn = k.w.done(k, now, v, next)
	if goOn && v.Gate == request.Open && v.Wait > 0 {
		goOn = k.wait(nil, now.Add(v.Wait))
		now = k.w.clock.Now()
	}
	return now, goOn
}

// wait blocks until wake receives or a time comes, zero for none. It reports whether
// to go on.
func (k *worker[T]) wait(wake <-chan struct{}, until time.Time) bool {
	var timer <-chan time.Time
	if !until.IsZero() {
		t := k.w.clock.NewTimer(until.Sub(k.w.clock.Now()))
		defer t.Stop()
		timer = t.C()
	}
	select {
	case <-wake:
	case <-timer:
	case <-k.team.stop:
		return false
	case <-k.ctx.Done():
		return false
	}
	return true
}
