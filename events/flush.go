// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"context"
	"fmt"

	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/series"
)

// Flush returns when everything observed so far is recorded or dropped. If ctx
// ends first the error says how many series still wait and wraps ctx's; nothing
// is dropped up.
//
// Before Start, Flush does the workers' and the timer's part itself: it writes in
// the caller's goroutine, and then ends the series that were quiet for the finish
// interval. So a program that is too short for goroutines (a command, a Job, a
// test) needs no Start. Options that Start would refuse are Flush's error then.
func (b *Broadcaster) Flush(ctx context.Context) error {
	inline := b.writesInline()
	if inline && b.optionsErr != nil {
		return b.optionsErr
	}
	due, flush := b.cache.Flush(b.config.clock.Now())
	b.enqueue(due...)
	if inline {
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

// writesInline reports whether nobody writes unless the caller of Flush does.
func (b *Broadcaster) writesInline() (inline bool) {
	b.life.During(func(s broadcast.State) { inline = s == broadcast.NotStarted && b.sink != nil })
	return inline
}

// writeInline does a worker's part until done, and then the timer's. Drain cancels
// it and waits for it, as for a worker.
func (b *Broadcaster) writeInline(ctx context.Context, done <-chan struct{}) {
	var leave func()
	b.life.During(func(s broadcast.State) {
		if s != broadcast.Ended {
			leave = b.life.Group.Join()
		}
	})
	if leave == nil {
		return
	}
	defer leave()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(b.inline, cancel)()
	b.writer.Work(ctx, done)
	b.expireInline()
}

// expireInline acts on the deadlines that have come. No Start begins meanwhile: two
// timers would not know of each other's sleep.
func (b *Broadcaster) expireInline() {
	var due []series.Due
	var dropped []series.Dropped
	b.life.During(func(s broadcast.State) {
		if s == broadcast.NotStarted {
			due, dropped, _ = b.cache.Expire(b.config.clock.Now())
		}
	})
	b.enqueue(due...)
	b.reportDropped(dropped, nil)
}
