// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"context"
	"errors"
	"time"

	"github.com/eventseries/eventseries/internal/series"
)

// stuckAfter is how long a cancelled write may take to return after Drain's
// context has ended before it is reported as stuck.
const stuckAfter = time.Second

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
	err := b.drainOnce(ctx)
	b.supervisors.Wait(context.Background()) // they return at once: the drain is over
	return err
}

// Shutdown is Drain bounded by WithDrainTimeout. What was lost is logged.
func (b *Broadcaster) Shutdown() {
	ctx, cancel := context.WithTimeout(context.Background(), b.config.drainTimeout)
	defer cancel()
	if err := b.Drain(ctx); err != nil {
		b.logLoss(err, "Events were lost at shutdown")
	}
}

// DrainTimeout returns what WithDrainTimeout set.
func (b *Broadcaster) DrainTimeout() time.Duration { return b.config.drainTimeout }

// logLoss says once what the drain lost, however many ends ask for it.
func (b *Broadcaster) logLoss(err error, message string) {
	b.lossLogged.Do(func() { b.config.logger.Error(err, message) })
}

// drainOnce drains, or waits for whoever does.
func (b *Broadcaster) drainOnce(ctx context.Context) error {
	return b.ending.Do(func() error {
		b.mu.Lock() // a Start that comes later sees that the end has begun
		started, cancelSinks := b.started, b.cancelSinks
		b.mu.Unlock()

		b.cache.Close()
		ended := errors.New("events: the broadcaster was never started, call Start")
		if started {
			ended = b.drainCache(ctx)
		}
		close(b.stop) // before, so that nobody begins a write that is cancelled already
		if started {
			cancelSinks(context.Canceled)
		}
		b.cancelInline()
		b.watchers.Close()
		return b.settleDrain(ctx, ended)
	})
}

// hurry makes all that is pending due at once, behind no gate.
func (b *Broadcaster) hurry() { b.flushAll() }

func (b *Broadcaster) flushAll() *series.Flush {
	b.writer.OpenGates()
	due, flush := b.cache.Flush(b.config.clock.Now())
	b.enqueue(due...)
	return flush
}

// drainCache writes everything until ctx ends; then it returns why it stopped.
func (b *Broadcaster) drainCache(ctx context.Context) error {
	flush := b.flushAll()
	select {
	case <-flush.Done():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// settleDrain waits for the goroutines and books what was not written.
func (b *Broadcaster) settleDrain(ctx context.Context, ended error) error {
	stuck := b.workers.Wait(ctx)
	if stuck > 0 {
		b.watchers.GiveUp()
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), stuckAfter)
		defer cancel()
		stuck = b.workers.Wait(grace)
	}
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
