// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package pleg

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/cri"
)

// errEnded says that the stream was open and is not any more.
var errEnded = errors.New("pleg: the event stream ended")

// Source is the event stream of a container runtime.
type Source interface {
	// Watch streams events until ctx ends or the stream breaks; the channel is
	// closed then.
	Watch(ctx context.Context) (<-chan cri.Event, error)
}

// Settings are the numbers of an [Evented].
type Settings struct {
	// Failures in a row after which the short relist period applies.
	Failures int
	// Retry is the pause before the stream is opened again after a failure.
	Retry time.Duration
	// RetryFallenBack is that pause once the short period applies.
	RetryFallenBack time.Duration
	// Relist is the relist period while the stream works.
	Relist time.Duration
	// Confirm is how often the cache is declared up to date while the stream is
	// open and silent: no event means no change.
	Confirm time.Duration
}

// DefaultSettings are kubelet's numbers, except that kubelet opens a broken
// stream again without a pause and never once it has fallen back.
func DefaultSettings() Settings {
	return Settings{
		Failures:        5,
		Retry:           time.Second,
		RetryFallenBack: 30 * time.Second,
		Relist:          5 * time.Minute,
		Confirm:         5 * time.Second,
	}
}

// Evented finds changes in the event stream of the runtime, with a [Generic]
// underneath that catches what the stream misses. Make one with [NewEvented];
// its methods are safe for concurrent use.
type Evented struct {
	generic   *Generic
	source    Source
	settings  Settings
	fallbacks atomic.Int64
	returns   atomic.Int64

	failures int // in a row; owned by the goroutine in Run
}

// NewEvented returns a generator on top of generic, which must not be run by
// anybody else. Nothing happens before Run.
func NewEvented(generic *Generic, source Source, settings Settings) *Evented {
	return &Evented{generic: generic, source: source, settings: settings}
}

// Events is where the events come out. It is never closed.
func (e *Evented) Events() <-chan Event { return e.generic.Events() }

// Fallbacks is how often the stream was given up for the short relist period,
// Returns how often it was taken up again.
func (e *Evented) Fallbacks() int64 { return e.fallbacks.Load() }

// Returns is how often the stream delivered again after a fallback.
func (e *Evented) Returns() int64 { return e.returns.Load() }

// Run generates events until ctx ends. It must be called once.
func (e *Evented) Run(ctx context.Context) {
	var generic sync.WaitGroup
	generic.Go(func() { e.generic.Run(ctx) })
	defer generic.Wait()

	e.setPeriod(ctx, e.settings.Relist)
	for {
		err := e.consume(ctx)
		if ctx.Err() != nil {
			return
		}
		e.failed(ctx, err)
		pause := e.settings.Retry
		if e.failures >= e.settings.Failures {
			pause = e.settings.RetryFallenBack
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}

// consume opens the stream and feeds the records from it until it breaks.
func (e *Evented) consume(ctx context.Context) error {
	// A receiver that gives up must not leave the stream open behind it.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	events, err := e.source.Watch(ctx)
	if err != nil {
		return err
	}
	// What happened while nobody listened; from here on the stream tells.
	e.generic.order(ctx, e.generic.relist)
	confirm := time.NewTicker(e.settings.Confirm)
	defer confirm.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case event, open := <-events:
			if !open {
				return errEnded
			}
			e.works(ctx)
			e.generic.order(ctx, func(context.Context) { e.generic.observe(event) })
		case now := <-confirm.C:
			// Only when nothing that happened before is still on its way: a worker
			// must not be handed a status from before its own last step.
			if len(events) == 0 {
				e.generic.order(ctx, func(context.Context) { e.generic.cache.UpdateTime(now) })
			}
		}
	}
}

// works notes that the stream delivered. That it could be opened is not enough:
// one that opens and breaks at once must still lead to the fallback.
func (e *Evented) works(ctx context.Context) {
	if e.failures >= e.settings.Failures {
		e.returns.Add(1)
		klog.FromContext(ctx).V(1).Info("The event stream of the runtime delivers again")
		e.setPeriod(ctx, e.settings.Relist)
	}
	e.failures = 0
}

// failed notes that the stream broke or did not open.
func (e *Evented) failed(ctx context.Context, err error) {
	e.failures++
	klog.FromContext(ctx).V(1).Info("The event stream of the runtime failed", "failures", e.failures, "err", err)
	if e.failures == e.settings.Failures {
		e.fallbacks.Add(1)
		e.setPeriod(ctx, relistPeriod)
	}
	e.generic.order(ctx, e.generic.relist)
}

func (e *Evented) setPeriod(ctx context.Context, period time.Duration) {
	e.generic.order(ctx, func(context.Context) { e.generic.period = period })
}
