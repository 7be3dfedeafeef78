// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/lifecycle"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/usercode"
)

// Drain ends the broadcaster. Later occurrences count as Dropped[Stopped]. Drain
// resets every back-off once, so that each pending series is tried, and writes final
// counts. It returns when that is done and every goroutine has exited.
//
// Each pending series needs a request, and the client may have a rate limit. If ctx ends
// first, Drain cancels the writes in flight and waits for them for at most a second. The
// rest counts as Dropped[Abandoned], and the error is an [*AbandonedError]. Before Start,
// all pending occurrences are abandoned.
//
// Watchers handle the events in their queues. Events that are not handled when ctx
// ends count as WatcherDropped. Drain waits a second for a handler that still runs.
//
// A sink that is a [Flusher] is flushed at last. Its error is added to Drain's.
//
// Call Drain last, after all code that records has ended. Concurrent and later calls
// wait for the first and return its result. The context that ends first is the bound of all.
// Watchers, drop handlers and sinks must not call it.
func (b *Broadcaster) Drain(ctx context.Context) error {
	return b.life.Drain(ctx)
}

// Shutdown is Drain bounded by WithDrainTimeout. It logs a loss.
func (b *Broadcaster) Shutdown() { b.life.Shutdown() }

// DrainTimeout returns what WithDrainTimeout set.
func (b *Broadcaster) DrainTimeout() time.Duration { return b.config.DrainTimeout }

// drain does the work of Drain.
func (b *Broadcaster) drain(ctx context.Context) error {
	for _, drained := range b.config.OnDrained {
		defer drained() // the last one first
	}
	for _, core := range b.cores {
		core.Close(stats.Stopped)
	}
	ended := errors.New("events: the broadcaster was never started, call Start")
	var started bool
	var loops *loops
	b.life.During(func(broadcast.State) { started, loops = b.started, b.loops })
	if started {
		ended = nil
		select {
		case <-b.flushAll().Done():
		case <-ctx.Done():
			ended = ctx.Err()
		}
	}
	close(b.stop)
	if loops != nil {
		loops.end()
	}
	b.watchers.Close()
	stuck := broadcast.WaitFor(ctx, &b.life.Group, b.watchers.GiveUp)
	lost := b.abandon(ctx, ended, stuck)
	if err := b.flushSink(ctx); err != nil {
		return errors.Join(lost, err)
	}
	return lost
}

// flushSink has a sink that buffers pass on what it has taken. It does so in a goroutine,
// which is left behind if the sink ignores ctx.
func (b *Broadcaster) flushSink(ctx context.Context) error {
	f, ok := b.config.Sink.(Flusher)
	if !ok {
		return nil
	}
	var flushing lifecycle.Group
	err := errors.New("Flush of the sink has ended its goroutine")
	flushing.Go(func() {
		if panicked := usercode.Call(func() { err = f.Flush(ctx) }); panicked != nil {
			b.log.Panic("sink", panicked)
			err = panicked
		}
	})
	if stuck := broadcast.WaitFor(ctx, &flushing, func() {}); stuck > 0 {
		return fmt.Errorf("events: Flush of the sink ignores its context, which has ended: %w", ctx.Err())
	}
	if err != nil {
		return fmt.Errorf("events: what the sink has taken is not passed on: %w", err)
	}
	return nil
}

// flushAll opens all gates and makes every pending series due now, because the end has come.
func (b *Broadcaster) flushAll() *series.Flush {
	for _, draining := range b.config.OnDraining {
		draining()
	}
	b.writer.OpenGates()
	return b.flush()
}

// flush makes every pending series due now.
func (b *Broadcaster) flush() *series.Flush {
	f := series.NewFlush()
	for _, core := range b.cores {
		b.apply(core.Flush(b.config.Clock.Now(), f), nil)
	}
	f.Add(-1)
	return f
}

// abandon drops what was not written.
func (b *Broadcaster) abandon(ctx context.Context, ended error, stuck int) error {
	var dropped []series.Dropped
	for _, core := range b.cores {
		dropped = append(dropped, core.Abandon()...)
	}
	b.reportDropped(dropped, ended)
	if len(dropped) == 0 && stuck == 0 {
		return nil
	}
	if ended == nil || len(dropped) == 0 { // without Start only watchers can be stuck, until ctx ends
		ended = ctx.Err()
	}
	state := b.writer.Inspect()
	lost := &AbandonedError{Series: int64(len(dropped)), Stuck: stuck, Rate: b.writer.Rate(), Err: ended}
	byOccurrences := func(a, b series.Dropped) int { return cmp.Compare(b.Occurrences, a.Occurrences) }
	in := map[string]AbandonedIn{}
	for _, d := range slices.SortedStableFunc(slices.Values(dropped), byOccurrences) {
		first := d.First()
		lost.Occurrences += d.Occurrences
		lost.Unconfirmed += d.Unconfirmed
		if first.Type == corev1.EventTypeWarning {
			lost.Warnings += d.Occurrences
		}
		one := cmp.Or(in[first.Namespace], AbandonedIn{
			Namespace: first.Namespace, Regarding: first.Regarding.ObjectReference(),
		})
		one.Occurrences += d.Occurrences
		in[first.Namespace] = one
	}
	busiest := slices.SortedFunc(maps.Values(in), func(a, b AbandonedIn) int {
		return cmp.Or(cmp.Compare(b.Occurrences, a.Occurrences), cmp.Compare(a.Namespace, b.Namespace))
	})
	lost.Busiest = busiest[:min(3, len(busiest))]
	for i := range lost.Busiest {
		lost.Busiest[i].LastError = state.Of(lost.Busiest[i].Namespace).LastError
	}
	return lost
}

// Flush blocks until everything observed so far is recorded or dropped. If ctx ends
// first, Flush returns an error that wraps ctx's and has the number of series that
// are not written. It drops nothing.
//
// Before Start, Flush starts the writer, the timer and a goroutine for each write, and returns
// when they have ended. A write whose sink ignores ctx is left behind a second after the end of
// ctx. Then it ends the series that were quiet for the finish interval. So a short program (a
// command, a Job, a test) needs no Start. In that case Flush returns the error for invalid options.
//
// A sink that is a [Flusher] is flushed, too. If it ignores ctx, Flush returns an error a
// second after the end of ctx.
func (b *Broadcaster) Flush(ctx context.Context) error {
	if b.optionsErr != nil && b.unsent == stats.None && b.life.State() == broadcast.NotStarted {
		return b.optionsErr
	}
	flush := b.flush() // first, so that nothing of it is too old for the timer
	if b.unsent == stats.None {
		defer b.runMeanwhile(ctx)()
	}
	select {
	case <-flush.Done():
	case <-ctx.Done():
		flush.Cancel()
	}
	if left := flush.Remaining(); left > 0 {
		return fmt.Errorf("events: flush ended early with %d series unwritten: %w", left, ctx.Err())
	}
	return b.flushSink(ctx)
}
