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

// Drain ends the engine. Everything pending is tried once more, and written until ctx ends.
func (e *Engine) Drain(ctx context.Context) error { return e.life.Drain(ctx) }

// Shutdown is Drain bounded by the drain timeout. It logs a loss.
func (e *Engine) Shutdown() { e.life.Shutdown() }

// drain does the work of Drain.
func (e *Engine) drain(ctx context.Context) error {
	for _, drained := range e.config.OnDrained {
		defer drained() // the last one first
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

// flusher is events.Flusher.
type flusher interface {
	Flush(ctx context.Context) error
}

// flushSink has a sink that buffers pass on what it has taken. It does so in a goroutine,
// which is left behind if the sink ignores ctx.
func (e *Engine) flushSink(ctx context.Context) error {
	f, ok := e.config.Sink.(flusher)
	if !ok {
		return nil
	}
	var flushing lifecycle.Group
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

// flushAll opens all gates and makes every pending series due now, because the end has come.
func (e *Engine) flushAll() *series.Flush {
	for _, draining := range e.config.OnDraining {
		draining()
	}
	e.writer.OpenGates()
	return e.flush()
}

// flush makes every pending series due now.
func (e *Engine) flush() *series.Flush {
	f := series.NewFlush()
	for _, core := range e.cores {
		e.apply(core.Flush(e.config.Clock.Now(), f), nil)
	}
	f.Add(-1)
	return f
}

// abandon drops what was not written.
func (e *Engine) abandon(ctx context.Context, ended error, stuck int) error {
	var dropped []series.Dropped
	for _, core := range e.cores {
		dropped = append(dropped, core.Abandon()...)
	}
	e.reportDropped(dropped, ended)
	if len(dropped) == 0 && stuck == 0 {
		return nil
	}
	if ended == nil || len(dropped) == 0 { // without Start only watchers can be stuck, until ctx ends
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
	in := map[string]NamespaceLoss{}
	for _, d := range slices.SortedStableFunc(slices.Values(dropped), byOccurrences) {
		first := d.First()
		lost.Occurrences += d.Occurrences
		lost.Unconfirmed += d.Unconfirmed
		if first.Type == corev1.EventTypeWarning {
			lost.Warnings += d.Occurrences
		}
		one := cmp.Or(in[first.Namespace], NamespaceLoss{
			Namespace: first.Namespace,
			Regarding: first.Regarding.ObjectReference(),
		})
		one.Occurrences += d.Occurrences
		in[first.Namespace] = one
	}
	busiest := slices.SortedFunc(maps.Values(in), func(a, b NamespaceLoss) int {
		return cmp.Or(cmp.Compare(b.Occurrences, a.Occurrences), cmp.Compare(a.Namespace, b.Namespace))
	})
	lost.TopNamespaces = busiest[:min(3, len(busiest))]
	for i := range lost.TopNamespaces {
		lost.TopNamespaces[i].LastError = state.Of(lost.TopNamespaces[i].Namespace).LastError
	}
	return e.config.Lost(lost)
}

// Loss is what a drain could not write: an events.AbandonedError.
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

// NamespaceLoss is the part of a loss that is in one namespace.
type NamespaceLoss struct {
	Namespace   string
	Occurrences int64
	Regarding   corev1.ObjectReference
	LastError   string
}

// Flush returns when everything observed so far is recorded or dropped, or when ctx ends. Before Start
// the writer and the timer run meanwhile.
func (e *Engine) Flush(ctx context.Context) error {
	if e.optionsErr != nil && e.dropAll == stats.None && e.life.State() == broadcast.NotStarted {
		return e.optionsErr
	}
	flush := e.flush() // first, so that nothing of it is too old for the timer
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
