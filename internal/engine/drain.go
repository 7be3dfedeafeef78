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

// Drain ends the engine. Later occurrences are dropped as Stopped. Drain makes all pending
// occurrences due at once, and blocks until they are recorded or dropped and all goroutines have
// returned. If ctx ends first, Drain drops the occurrences that are left, and returns the error
// that Config.Lost makes of them. Before Start it writes nothing, and drops all pending
// occurrences.
//
// Only the first call of Drain or Shutdown does the work. Other calls wait for it and get its
// result. It gives up when the context of any of them ends.
func (e *Engine) Drain(ctx context.Context) error { return e.life.Drain(ctx) }

// Shutdown is Drain bounded by the drain timeout. It logs the error.
func (e *Engine) Shutdown() { e.life.Shutdown() }

// drain does the work of Drain. The cores stop taking occurrences, pending ones are written, all
// goroutines end, the occurrences that are left are dropped, and the sink is flushed, in this
// order.
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

// flusher is events.Flusher. This package must not import package events, which is built on it.
type flusher interface {
	Flush(ctx context.Context) error
}

// flushSink calls Flush of the sink, if the sink is a flusher, and returns its error.
//
// Flush runs in a goroutine of its own, because a sink may ignore ctx. In that case flushSink
// returns an error a second after the end of ctx, and leaves the goroutine behind.
func (e *Engine) flushSink(ctx context.Context) error {
	f, ok := e.config.Sink.(flusher)
	if !ok {
		return nil
	}
	var flushing lifecycle.Group
	// This error remains if Flush ends the goroutine by runtime.Goexit.
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

// flushAll calls the functions of OnDraining, opens all gates of the writer, and makes all pending
// occurrences due now, because the engine is about to end. The returned Flush is done when they are
// recorded or dropped.
func (e *Engine) flushAll() *series.Flush {
	for _, draining := range e.config.OnDraining {
		draining()
	}
	e.writer.OpenGates()
	return e.flush()
}

// flush makes all pending occurrences due now. The returned Flush is done when they are recorded or
// dropped.
func (e *Engine) flush() *series.Flush {
	f := series.NewFlush()
	for _, core := range e.cores {
		e.apply(core.Flush(e.config.Clock.Now(), f), nil)
	}
	// A new Flush waits for its maker, so that it is not done before every core has it.
	f.Add(-1)
	return f
}

// abandon drops the occurrences that are still pending, and returns an error about them and about
// the goroutines that have not returned. It returns nil if there are neither.
//
// ended is the error of ctx, or says that the engine was never started. It is nil if all pending
// occurrences were written. stuck is the number of goroutines that have not returned.
func (e *Engine) abandon(ctx context.Context, ended error, stuck int) error {
	var dropped []series.Dropped
	for _, core := range e.cores {
		dropped = append(dropped, core.Abandon()...)
	}
	e.reportDropped(dropped, ended)
	if len(dropped) == 0 && stuck == 0 {
		return nil
	}
	// If no occurrence is lost, the error is about goroutines, and those were given up because ctx
	// ended. That the engine was never started is not the reason.
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
// events makes an events.AbandonedError of it, and documents the fields there.
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

// NamespaceLoss is the part of a [Loss] that is in one namespace.
type NamespaceLoss struct {
	Namespace   string
	Occurrences int64
	Regarding   corev1.ObjectReference
	LastError   string
}

// Flush makes all pending occurrences due, and blocks until they are recorded or dropped. Then it
// flushes the sink. If ctx ends first, it returns an error with the number of series that are not
// written, and these stay pending.
//
// Before Start, Flush runs the writer and the timer itself until it returns. If options are
// invalid, it returns the error about them and does nothing else.
func (e *Engine) Flush(ctx context.Context) error {
	if e.optionsErr != nil && e.dropAll == stats.None && e.life.State() == broadcast.NotStarted {
		return e.optionsErr
	}
	// Flush the cores before the timer runs. Otherwise the timer would drop occurrences that are
	// too old although no write of them was tried.
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
