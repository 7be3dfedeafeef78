// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"context"
	"time"
)

// Work writes in the caller's goroutine until stop is closed or ctx ends, in the
// place of the first worker: at most one goroutine is there.
func (w *Writer[T]) Work(ctx context.Context, stop <-chan struct{}) {
	select {
	case w.first <- struct{}{}:
	case <-stop:
		return
	case <-ctx.Done():
		return
	}
	defer func() { <-w.first }()
	w.work(ctx, stop)
}

// work is the life of one worker.
func (w *Writer[T]) work(ctx context.Context, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case <-ctx.Done():
			return
		default:
		}
		j, retry, ok := w.take()
		if !ok {
			if !w.wait(ctx, retry, stop) {
				return
			}
			continue
		}
		if j.more {
			w.signal()
		}
		v, next := w.attempt(ctx, j.item)
		w.done(j, v, next)
		if v.Gate == Open && v.Wait > 0 && !w.pause(ctx, v.Wait, stop) {
			return
		}
	}
}

// wait blocks until there may be something to take, and reports whether to go on.
func (w *Writer[T]) wait(ctx context.Context, retry time.Time, stop <-chan struct{}) bool {
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
	case <-ctx.Done():
		return false
	}
	return true
}

func (w *Writer[T]) pause(ctx context.Context, d time.Duration, stop <-chan struct{}) bool {
	t := w.clock.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C():
		return true
	case <-stop:
		return false
	case <-ctx.Done():
		return false
	}
}
