// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package engine is the machinery behind the broadcasters of packages events, legacy, adapter and
// eventstest, which differ in their [Config] alone.
//
//	Recorder ──▶ Engine.Observe ──▶ core ──(an item needs a write)──▶ writer ──▶ Engine.attempt ──▶ sink
//	                                  ▲                                               │
//	                                  └──────────────── Item.Settle ◀─────────────────┘
//
// Read [Config] first, then engine.go, record.go, write.go and drain.go.
package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/lifecycle"
	"github.com/eventseries/eventseries/internal/selector"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/writer"
)

// Engine counts what is recorded in its cores, and keeps a sink up to date with them. It is safe for
// concurrent use.
type Engine struct {
	config     Config       // with defaults
	optionsErr error        // returned by Start
	dropAll    stats.Reason // why everything is dropped, if it is
	began      time.Time

	// cores are one or two. An occurrence stays with the core that has taken it.
	cores []series.Core
	// cache is the core of series, or nil. Recorders call it directly, because an argument of an
	// interface's method escapes to the heap.
	cache    *series.Cache
	poked    <-chan struct{} // by cache
	writer   *writer.Writer[series.Item]
	watchers *broadcast.Watchers[Watched]
	log      *broadcast.Log
	requests *broadcast.Handlers[Request]

	life *broadcast.Life
	stop chan struct{} // closed when nothing more may begin

	// life.During guards these.
	started  bool
	loops    *loops             // nil while they do not run
	users    int                // of loops
	selector *selector.Selector // what the cores select by
}

// New returns an engine. It starts no goroutine and does no I/O. Invalid options are reported by Start.
func New(c Config) *Engine {
	c, err := c.WithDefaults()
	dropAll := c.DropAll
	if c.Sink == nil && c.Correlator == nil && dropAll == stats.None {
		dropAll = stats.Filtered
	}
	log := c.Log
	if log == nil {
		log = broadcast.NewLog(*c.Logger, c.Clock)
	}
	e := &Engine{
		dropAll:    dropAll,
		config:     c,
		optionsErr: err,
		began:      c.Clock.Now(),
		stop:       make(chan struct{}),
		log:        log,
	}
	if c.Correlator == nil || c.Correlate != nil {
		e.cache = e.newCache()
		e.poked = e.cache.Poked()
		e.cores = append(e.cores, e.cache)
	}
	if c.Correlator != nil {
		e.cores = append(e.cores, c.Correlator)
	}
	for _, core := range e.cores {
		core.Close(dropAll) // with None it stays open
	}
	if err != nil && c.Lenient {
		e.optionsErr = nil
		c.Logger.Error(err, "Options replaced by their defaults, or left out; fix what err names", "advice", "repaired")
	}
	e.requests = broadcast.NewHandlers[Request]("request handler", e.log)
	e.life = broadcast.NewLife(broadcast.Config{
		DrainTimeout: c.DrainTimeout,
		Hurry:        func() { e.flushAll() },
		Drain:        e.drain,
		Log:          e.log,
	})
	e.watchers = broadcast.NewWatchers[Watched](&e.life.Group)
	e.writer = writer.New(writer.Config[series.Item]{
		Clock:   c.Clock,
		Most:    c.MaxInFlight,
		Timeout: c.WriteTimeout,
		Attempt: e.attempt,
	})
	if c.Supervised {
		e.life.During(func(broadcast.State) { e.life.SuperviseLocked(c.Context) })
	}
	return e
}

// newCache returns the core of series.
func (e *Engine) newCache() *series.Cache {
	c := &e.config
	cache := series.NewCache(c.Intervals, c.MaxSeries, c.Clock.Now())
	cache.LimitObjects(c.MaxSeriesPerObject)
	cache.LimitPublishing(c.PublishBurst, c.PublishEvery)
	if c.SharedCounts {
		cache.ShareCounts()
	}
	return cache
}

// SetSelector drops as Unselected what text does not select, from now on.
func (e *Engine) SetSelector(text string) error {
	s, err := selector.Parse(text)
	if err != nil {
		return fmt.Errorf("events: %w", err)
	}
	e.life.During(func(broadcast.State) {
		for _, core := range e.cores {
			core.SelectBy(s)
		}
		e.selector = s
	})
	return nil
}

// Start begins to write. The end of ctx makes everything pending due at once.
func (e *Engine) Start(ctx context.Context) error {
	if e.optionsErr != nil {
		return e.optionsErr
	}
	if e.dropAll != stats.None {
		return errors.New("events: the broadcaster has no sink; pass one to NewBroadcaster")
	}
	err := e.life.Start(func() {
		e.started = true
		loops := e.useLoops(ctx)
		if run := e.config.Run; run != nil {
			loops.spawn(func() { run(loops.ctx) })
		}
		e.life.SuperviseLocked(ctx)
	})
	if err != nil {
		return fmt.Errorf("events: %w", err)
	}
	return nil
}

// StartUntil is Start with the end of the configuration's context, or of stop.
func (e *Engine) StartUntil(stop <-chan struct{}) error {
	ctx, cancel := context.WithCancel(e.config.Context)
	if err := e.Start(ctx); err != nil {
		cancel()
		return err
	}
	e.life.Group.Go(func() {
		defer cancel()
		select {
		case <-stop:
		case <-ctx.Done():
		case <-e.stop:
		}
	})
	return nil
}

// Config returns the configuration, with its defaults. It must not be changed.
func (e *Engine) Config() *Config { return &e.config }

// Log returns the log of incidents.
func (e *Engine) Log() *broadcast.Log { return e.log }

// apply does what a core asks for. err is the answer that led to it, if any.
func (e *Engine) apply(effects series.Effects, err error) {
	for _, d := range effects.Due {
		e.writer.Enqueue(d.Item, d.Namespace(), d.Class)
	}
	e.reportDropped(effects.Dropped, err)
}

// Totals adds up what the cores have. Each part of it is consistent, and so is the sum.
func (e *Engine) Totals() series.Snapshot {
	sum := e.cores[0].Snapshot()
	for _, core := range e.cores[1:] {
		sum.Add(core.Snapshot())
	}
	return sum
}

// pendingIn returns how many occurrences wait in a namespace.
func (e *Engine) pendingIn(namespace string) (n int64) {
	for _, core := range e.cores {
		n += core.PendingIn(namespace)
	}
	return n
}

// loops are the writer and the timer. They run from Start on, and before it while a Flush
// needs them.
type loops struct {
	life *lifecycle.Group
	own  lifecycle.Group // the same goroutines, to wait for them alone
	ctx  context.Context // of all requests, too
	end  context.CancelFunc
}

func (l *loops) spawn(fn func()) {
	leave := l.own.Join()
	l.life.Go(func() {
		defer leave()
		fn()
	})
}

// useLoops makes the loops run, if they do not yet. Requests do not inherit the end of ctx.
// It must be called by a function that life.During or life.Start calls.
func (e *Engine) useLoops(ctx context.Context) *loops {
	e.users++
	if e.loops != nil {
		return e.loops
	}
	l := &loops{life: &e.life.Group}
	l.ctx, l.end = context.WithCancel(context.WithoutCancel(ctx))
	l.spawn(func() { e.writer.Run(l.ctx, l.spawn) })
	l.spawn(func() { e.runTimer(l.ctx.Done()) })
	e.loops = l
	return l
}

// runMeanwhile makes the loops run before Start, until leave is called. Then they have
// returned, and series that are over are forgotten, unless Start or another Flush needs them.
// A write whose sink ignores its context is left behind a second after the end of ctx.
func (e *Engine) runMeanwhile(ctx context.Context) (leave func()) {
	var l *loops
	e.life.During(func(s broadcast.State) {
		if s == broadcast.NotStarted {
			l = e.useLoops(ctx)
		}
	})
	if l == nil {
		return func() {}
	}
	return func() {
		last := false
		e.life.During(func(broadcast.State) {
			e.users--
			if e.users == 0 {
				last = true
				e.loops = nil
				l.end()
			}
		})
		if last {
			broadcast.WaitFor(ctx, &l.own, l.end)
			e.expire()
		}
	}
}

// runTimer hands series to the writer when their deadline comes. The timers of a Flush and of
// Start may overlap for a moment, so what woke the one that stops is for the other one, too.
func (e *Engine) runTimer(stop <-chan struct{}) {
	if e.cache != nil {
		defer e.cache.Poke()
	}
	for {
		if !e.sleep(e.expire(), stop) {
			return
		}
	}
}

// expire looks at the deadlines that have come, and returns when the next one will.
func (e *Engine) expire() (next time.Time) {
	for _, core := range e.cores {
		effects, at := core.Expire(e.config.Clock.Now())
		e.apply(effects, nil)
		next = stats.Earlier(next, at)
	}
	return next
}

// sleep waits until next, or for a deadline that became earlier; zero means
// that there is none. It returns false when the broadcaster stops.
func (e *Engine) sleep(next time.Time, stop <-chan struct{}) bool {
	var due <-chan time.Time
	if !next.IsZero() {
		timer := e.config.Clock.NewTimer(next.Sub(e.config.Clock.Now()))
		defer timer.Stop()
		due = timer.C()
	}
	select {
	case <-due:
	case <-e.poked:
	case <-stop:
		return false
	}
	return true
}
