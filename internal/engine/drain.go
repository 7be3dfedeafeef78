// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/lifecycle"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/usercode"
)

// Drain ends the engine. Later occurrences are dropped with the reason Stopped. Drain makes all
// pending occurrences due at once, and blocks until they are recorded or dropped and all goroutines
// have returned. If ctx ends first, Drain drops the remaining occurrences, and returns the error
// that Config.Lost returns for them. Before Start it writes nothing, and drops all pending
// occurrences.
//
// Only the first call of Drain or Shutdown does the work. Other calls wait for the first one and
// return its result. The work is given up when the context of any of these calls ends.
func (e *Engine) Drain(ctx context.Context) error { return e.life.Drain(ctx) }

// Shutdown calls Drain with the drain timeout, and logs the error.
func (e *Engine) Shutdown() { e.life.Shutdown() }

// drain implements Drain. In this order, it closes the cores, waits until the pending occurrences
// are written, ends all goroutines, drops the remaining occurrences, and flushes the sink.
func (e *Engine) drain(ctx context.Context) error {
	for _, drained := range e.config.OnDrained {
		// Deferred calls run in reverse order.
		defer drained()
	}
	for _, core := range e.cores {
		core.Close(stats.Stopped)
	}
	ended := errors.New("events: the broadcaster was never started, call Start")
	var started bool
	var loops *loops
	e.life.During(func(broadcast.State) {
		started = e.started
		loops = e.loops
	})
	if started {
		ended = nil
		select {
		case <-e.flushAll().Done():
		case <-ctx.Done():
			ended = ctx.Err()
		}
	}
	close(e.stop)
	if loops != nil {
		loops.end()
	}
	e.watchers.Close()
	stuck := broadcast.WaitFor(ctx, &e.life.Group, e.watchers.GiveUp)
	lost := e.abandon(ctx, ended, stuck)
	if err := e.flushSink(ctx); err != nil {
		return errors.Join(lost, err)
	}
	return lost
}

// flusher is the same interface as events.Flusher. This package cannot import package events,
// because that package imports this one.
type flusher interface {
	Flush(ctx context.Context) error
}

// flushSink calls the method Flush of the sink, if the sink has one, and returns the error of the
// call.
//
// Flush runs in its own goroutine. If the sink ignores ctx, flushSink returns an error one second
// after ctx is done, and abandons the goroutine.
func (e *Engine) flushSink(ctx context.Context) error {
	f, ok := e.config.Sink.(flusher)
	if !ok {
		return nil
	}
	var flushing lifecycle.Group
	// This error remains if Flush ends its goroutine by calling runtime.Goexit.
	err := errors.New("Flush of the sink has ended its goroutine")
	flushing.Go(func() {
		if panicked := usercode.Call(func() { err = f.Flush(ctx) }); panicked != nil {
			e.log.Panic("sink", panicked)
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

// flushAll prepares the end of the engine: it calls the functions of OnDraining, ends all back-offs
// of the writer, and makes all pending occurrences due. The returned Flush is done when these
// occurrences are recorded or dropped.
func (e *Engine) flushAll() *series.Flush {
	for _, draining := range e.config.OnDraining {
		draining()
	}
	e.writer.OpenGates()
	return e.flush()
}

// flush makes all pending occurrences due. The returned Flush is done when these occurrences are
// recorded or dropped.
func (e *Engine) flush() *series.Flush {
	f := series.NewFlush()
	for _, core := range e.cores {
		e.apply(core.Flush(e.config.Clock.Now(), f), nil)
	}
	// The new Flush also waits for this call, so that it cannot finish before every core has it.
	f.Add(-1)
	return f
}

// abandon drops the occurrences that are still pending. It returns an error about these occurrences
// and about the goroutines that have not returned, or nil if there are neither.
//
// The parameter ended is the error of ctx, or an error which says that the engine was never
// started. It is nil if all pending occurrences were written. The parameter stuck is the number of
// goroutines that have not returned.
func (e *Engine) abandon(ctx context.Context, ended error, stuck int) error {
	var dropped []series.Dropped
	for _, core := range e.cores {
		dropped = append(dropped, core.Abandon()...)
	}
	e.reportDropped(dropped, ended)
	if len(dropped) == 0 && stuck == 0 {
		return nil
	}
	// If no occurrence was lost, the error is about goroutines. They were abandoned because ctx
	// ended, not because the engine was never started.
	if ended == nil || len(dropped) == 0 {
		ended = ctx.Err()
	}
	state := e.writer.Inspect()
	lost := &Loss{
		Series: int64(len(dropped)),
		Stuck:  stuck,
		Rate:   e.writer.Rate(),
		Err:    ended,
	}
	byOccurrences := func(a, b series.Dropped) int { return cmp.Compare(b.Occurrences, a.Occurrences) }
	byNamespace := map[string]NamespaceLoss{}
	for _, d := range slices.SortedStableFunc(slices.Values(dropped), byOccurrences) {
		first := d.First()
		lost.Occurrences += d.Occurrences
		lost.Unconfirmed += d.Unconfirmed
		if first.Type == corev1.EventTypeWarning {
			lost.Warnings += d.Occurrences
		}
		loss := cmp.Or(byNamespace[first.Namespace], NamespaceLoss{
			Namespace: first.Namespace,
			Regarding: first.Regarding.ObjectReference(),
		})
		loss.Occurrences += d.Occurrences
		byNamespace[first.Namespace] = loss
	}
	busiest := slices.SortedFunc(maps.Values(byNamespace), func(a, b NamespaceLoss) int {
		return cmp.Or(cmp.Compare(b.Occurrences, a.Occurrences), cmp.Compare(a.Namespace, b.Namespace))
	})
	lost.TopNamespaces = busiest[:min(3, len(busiest))]
	for i := range lost.TopNamespaces {
		lost.TopNamespaces[i].LastError = state.Of(lost.TopNamespaces[i].Namespace).LastError
	}
	return e.config.Lost(lost)
}

// Loss describes the occurrences that a drain dropped because it could not write them. Package
// events converts it to an events.AbandonedError, which documents the fields.
type Loss struct {
	Occurrences   int64
	Series        int64
	Warnings      int64
	Unconfirmed   int64
	TopNamespaces []NamespaceLoss
	Rate          float32
	Stuck         int
	Err           error
}

// NamespaceLoss is the part of a [Loss] that belongs to one namespace.
type NamespaceLoss struct {
	Namespace   string
	Occurrences int64
	Regarding   corev1.ObjectReference
	LastError   string
}

// Flush makes all pending occurrences due, and blocks until they are recorded or dropped. Then it
// flushes the sink. If ctx ends first, Flush returns an error with the number of unwritten series,
// which stay pending.
//
// Before Start, Flush runs the writer and the timer itself until it returns. If options are
// invalid, it does nothing except return the error about them.
func (e *Engine) Flush(ctx context.Context) error {
	if e.optionsErr != nil && e.dropAll == stats.None && e.life.State() == broadcast.NotStarted {
		return e.optionsErr
	}
	// Flush the cores before the timer runs. Otherwise the timer would drop occurrences as too old
	// without a single attempt to write them.
	flush := e.flush()
	if e.dropAll == stats.None {
		defer e.runMeanwhile(ctx)()
	}
	select {
	case <-flush.Done():
	case <-ctx.Done():
		flush.Cancel()
	}
	if left := flush.Remaining(); left > 0 {
		return fmt.Errorf("events: flush ended early with %d series unwritten: %w", left, ctx.Err())
	}
	return e.flushSink(ctx)
}
