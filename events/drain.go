// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/series"
)

// Drain ends the broadcaster: later occurrences count as Dropped[Stopped], every
// back-off is forgotten once so that all that is pending is tried, and final
// counts are written. It returns when that is done and every goroutine has
// exited. If ctx ends first, writes in flight are cancelled and awaited for at
// most a second, the rest counts as Dropped[Abandoned], and the error is an
// [*AbandonedError]. Before Start, what is pending is abandoned.
//
// Watchers handle what is queued for them; what they have not handled when ctx ends
// counts as WatcherDropped, and a handler that is under way is awaited for a second.
//
// Call it last, when all that records has ended. Concurrent and later calls wait for
// the first and return its result. Watchers, drop handlers and sinks must not call it.
func (b *Broadcaster) Drain(ctx context.Context) error {
	return b.life.Drain(ctx)
}

// Shutdown is Drain bounded by WithDrainTimeout. What was lost is logged.
func (b *Broadcaster) Shutdown() { b.life.Shutdown() }

// DrainTimeout returns what WithDrainTimeout set.
func (b *Broadcaster) DrainTimeout() time.Duration { return b.life.DrainTimeout() }

// drain does the work of Drain.
func (b *Broadcaster) drain(ctx context.Context) error {
	b.cache.Close()
	ended := errors.New("events: the broadcaster was never started, call Start")
	started := b.cancelRequests != nil
	if started {
		ended = nil
		select {
		case <-b.flushAll().Done():
		case <-ctx.Done():
			ended = ctx.Err()
		}
	}
	close(b.stop) // before the requests are cancelled, so that no worker begins one that is
	if started {
		b.cancelRequests()
	}
	b.cancelInline()
	b.watchers.Close()
	stuck := b.life.WaitForGroup(ctx, b.watchers.GiveUp)
	return b.abandon(ctx, ended, stuck)
}

// flushAll makes all that is pending due at once, behind no gate.
func (b *Broadcaster) flushAll() *series.Flush {
	b.writer.OpenGates()
	due, flush := b.cache.Flush(b.config.clock.Now())
	b.enqueue(due...)
	return flush
}

// abandon drops what was not written.
func (b *Broadcaster) abandon(ctx context.Context, ended error, stuck int) error {
	dropped, unconfirmed := b.cache.Abandon()
	b.reportDropped(dropped, ended)
	if len(dropped) == 0 && stuck == 0 {
		return nil
	}
	if ended == nil {
		ended = ctx.Err()
	}
	lost := &AbandonedError{Series: int64(len(dropped)), Unconfirmed: unconfirmed, Stuck: stuck, Err: ended}
	for _, g := range dropped {
		lost.Occurrences += g.Occurrences
	}
	return lost
}

// Flush returns when everything observed so far is recorded or dropped. If ctx
// ends first the error says how many series still wait and wraps ctx's; nothing
// is dropped.
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
