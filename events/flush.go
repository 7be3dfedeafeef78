// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"context"
	"fmt"

	"github.com/eventseries/eventseries/internal/series"
)

// Flush returns when everything observed so far is recorded or dropped. If ctx
// ends first the error says how many series still wait and wraps ctx's; nothing
// is given up.
//
// Before Start, Flush does the workers' and the timer's part itself: it writes in
// the caller's goroutine, and then ends the series that were quiet for the finish
// interval. So a program that is too short for goroutines (a command, a Job, a
// test) needs no Start. Options that Start would refuse are Flush's error then.
func (b *Broadcaster) Flush(ctx context.Context) error {
	unstarted := b.isUnstarted()
	if unstarted && b.wrong != nil {
		return b.wrong
	}
	due, flush := b.cache.Flush(b.config.clock.Now())
	b.enqueue(due...)
	if unstarted {
		b.writeInline(ctx, flush.Done())
	}
	select {
	case <-flush.Done():
		return nil
	case <-ctx.Done():
	}
	b.cache.Forget(flush)
	left := flush.Remaining()
	if left == 0 {
		return nil // both came at once
	}
	return fmt.Errorf("events: flush ended early with %d series unwritten: %w", left, ctx.Err())
}

// isUnstarted tells whether nobody writes unless the caller does.
func (b *Broadcaster) isUnstarted() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.isUnstartedLocked()
}

func (b *Broadcaster) isUnstartedLocked() bool {
	return !b.started && b.sink != nil && !b.ending.HasBegun()
}

// inlineFlush is a flush that writes in its caller's goroutine.
type inlineFlush struct{ cancel context.CancelCauseFunc }

// writeInline does a worker's part until done, and then the timer's. A Drain cancels and awaits it as it does a worker.
func (b *Broadcaster) writeInline(ctx context.Context, done <-chan struct{}) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	b.mu.Lock()
	if b.ending.HasBegun() {
		b.mu.Unlock()
		return
	}
	leave := b.workers.Join()
	defer leave()
	flush := &inlineFlush{cancel}
	b.inline[flush] = struct{}{}
	b.mu.Unlock()

	b.writer.Work(ctx, done)
	due, dropped := b.expireUnstarted(flush)
	b.enqueue(due...)
	b.reportDropped(dropped, nil)
}

// expireUnstarted looks at the deadlines that have come. The lock keeps Start away meanwhile: two timers would not know
// of each other's sleep.
func (b *Broadcaster) expireUnstarted(flush *inlineFlush) (due []series.Due, dropped []series.Dropped) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.inline, flush)
	if b.isUnstartedLocked() {
		due, dropped, _ = b.cache.Expire(b.config.clock.Now())
	}
	return due, dropped
}

func (b *Broadcaster) cancelInline() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for flush := range b.inline {
		flush.cancel(context.Canceled)
	}
}
