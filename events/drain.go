// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"context"
	"errors"
	"time"

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
		ended = b.writeAll(ctx)
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

// writeAll writes everything until ctx ends; then it returns why it stopped.
func (b *Broadcaster) writeAll(ctx context.Context) error {
	flush := b.flushAll()
	select {
	case <-flush.Done():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
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
