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
}

// worker is one goroutine that writes, one item after another.
type worker[T any] struct {
	w      *Writer[T]
	team   *team
	ctx    context.Context
	cancel context.CancelFunc
	timer  *time.Timer // for an attempt that takes long

	// The lock of the writer guards these.
	job      job[T] // the attempt under way; id 0: none
	began    time.Time
	slow     bool // it has taken slowAfter
	detached bool // it does not count as a worker's
	replaced bool // another worker has its place
}

func (w *Writer[T]) newWorker(team *team) *worker[T] {
	k := &worker[T]{w: w, team: team}
	k.ctx, k.cancel = context.WithCancel(team.ctx)
	k.timer = time.AfterFunc(slowAfter, func() { w.onTimer(k) })
	k.timer.Stop()
	return k
}

// startWorker starts another worker.
func (w *Writer[T]) startWorker(team *team) {
	team.group.Go(w.newWorker(team).work)
}

// Work writes in the caller's goroutine until stop is closed or ctx ends, in the
// place of the first worker: at most one goroutine is there.
func (w *Writer[T]) Work(ctx context.Context, stop <-chan struct{}) {
	w.workFirst(&team{ctx: ctx, stop: stop})
}

func (w *Writer[T]) workFirst(team *team) {
	select {
	case w.first <- struct{}{}:
	case <-team.stop:
		return
	case <-team.ctx.Done():
		return
	}
	defer func() { <-w.first }()
	w.newWorker(team).work()
}

// work is the life of one worker.
func (k *worker[T]) work() {
	k.w.addRunning(k)
	defer k.exit()
	for k.writeOne() {
	}
}

// exit ends the worker. If an attempt is under way, the goroutine ends in the middle
// of it (runtime.Goexit, such as t.FailNow in a sink of a test): the item needs the
// same again, and another worker does it.
func (k *worker[T]) exit() {
	k.timer.Stop()
	k.cancel()
	k.w.removeRunning(k)
	if k.job.id != 0 && k.w.done(k, request.NoAnswer, k.job.class) && k.team.group != nil {
		k.w.startWorker(k.team)
	}
}

func (w *Writer[T]) addRunning(k *worker[T]) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running = append(w.running, k)
}

func (w *Writer[T]) removeRunning(k *worker[T]) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running = slices.DeleteFunc(w.running, func(other *worker[T]) bool { return other == k })
}

// writeOne does one write, or waits until there may be one. It returns whether to
// go on.
func (k *worker[T]) writeOne() bool {
	select {
	case <-k.team.stop:
		return false
	case <-k.ctx.Done():
		return false
	default:
	}
	j, retry, ok := k.w.take(k)
	if !ok {
		return k.wait(k.w.wake, retry)
	}
	if j.more {
		k.w.signal()
	}
	v, next := k.w.attempt(k.ctx, j.item)
	k.timer.Stop()
	goOn := k.w.done(k, v, next)
	if goOn && v.Gate == request.Open && v.Wait > 0 {
		return k.wait(nil, k.w.clock.Now().Add(v.Wait))
	}
	return goOn
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
