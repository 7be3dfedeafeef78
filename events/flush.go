// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"context"
	"fmt"
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
	b.enqueue(due)
	if unstarted {
		b.writer.Work(ctx, flush.Done())
		b.expireUnstarted()
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
	return !b.started && b.sink != nil && !b.ending.HasBegun()
}

// expireUnstarted does the timer's part. The lock keeps Start away meanwhile: two
// timers would not know of each other's sleep.
func (b *Broadcaster) expireUnstarted() {
	b.mu.Lock()
	if b.started {
		b.mu.Unlock()
		return
	}
	due, given, _ := b.cache.Expire(b.config.clock.Now())
	b.mu.Unlock()
	b.enqueue(due)
	b.reportGiven(given, nil)
}
