// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"context"
	"fmt"
	"time"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/writer"
)

// Flush blocks until everything recorded before the call is written or dropped,
// or ctx ends; the error then says how much is still waiting. It does not hurry
// a back-off.
func (b *Broadcaster) Flush(ctx context.Context) error {
	left := 0
	writers := b.attached()
	for _, s := range writers {
		left += s.backlog.wait(ctx)
	}
	if left > 0 {
		return fmt.Errorf("legacy: flush ended with %d occurrences still waiting: %w", left, ctx.Err())
	}
	return nil
}

// Drain stops the broadcaster. What is recorded from now on counts as
// Dropped[Stopped]; back-off is forgotten once, so that everything that waits is
// tried; watchers handle what is queued for them. When ctx ends first, requests
// are cut off and awaited for at most a second, what is left counts as
// Dropped[Abandoned], and what watchers have not handled as WatcherDropped.
//
// The error, if any, is a [*events.AbandonedError], whose Series are the objects
// with abandoned occurrences; it wraps ctx's error. No goroutine of b runs when
// Drain returns, but those it reports as stuck. Concurrent and later calls wait
// for the first and return its result. Drain must not be called by a sink, a
// watcher or a drop handler.
func (b *Broadcaster) Drain(ctx context.Context) error {
	return b.life.Drain(ctx)
}

// Shutdown is Drain bounded by [WithDrainTimeout]. What could not be written is
// logged.
func (b *Broadcaster) Shutdown() { b.life.Shutdown() }

// DrainTimeout returns what [WithDrainTimeout] set.
func (b *Broadcaster) DrainTimeout() time.Duration { return b.life.DrainTimeout() }

// openGates makes everything that waits due at once.
func (b *Broadcaster) openGates() {
	writers := b.attached()
	for _, s := range writers {
		s.writer.OpenGates()
	}
}

// drain does the work of Drain.
func (b *Broadcaster) drain(ctx context.Context) error {
	writers := b.attached() // nobody adds to them any more
	b.watchers.Close()
	for _, s := range writers {
		s.backlog.close()
		s.writer.OpenGates()
	}
	for _, s := range writers {
		s.backlog.wait(ctx)
	}
	for _, s := range writers {
		s.state = s.writer.Inspect(writer.MaxLastErrors)
		close(s.stop)
	}
	stuck := b.life.WaitForGroup(ctx, func() {
		for _, s := range writers {
			s.cancel()
		}
		b.watchers.GiveUp()
	})
	if lost := b.abandon(writers, stuck); lost != nil {
		lost.Err = ctx.Err()
		return lost
	}
	return nil
}

// abandon drops what is left in the backlogs and keeps their counters. It returns nil
// if nothing was lost.
func (b *Broadcaster) abandon(writers []*sinkWriter, stuck int) *events.AbandonedError {
	e := &events.AbandonedError{Stuck: stuck}
	var drops []drop
	b.mu.Lock()
	for _, s := range writers {
		lost, unconfirmed, objects := s.backlog.abandon()
		if drops = append(drops, lost...); len(lost) > 0 {
			e.Regarding, e.LastError = lost[0].object, s.state.LastError(lost[0].namespace())
		}
		e.Unconfirmed += unconfirmed
		e.Series += objects
		b.removeLocked(s)
	}
	b.mu.Unlock()
	for _, l := range drops {
		b.report(l)
	}
	if e.Occurrences = int64(len(drops)); e.Occurrences == 0 && stuck == 0 {
		return nil
	}
	return e
}
