// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package engine is the implementation that all broadcasters of the SDK share: it records, writes,
// drains and logs. The broadcasters of packages events, legacy, adapter and eventstest each have an
// [Engine], and their engines differ only in their [Config].
//
//	Recorder ──▶ Engine.Count ──▶ core ──(an item needs a write)──▶ writer ──▶ Engine.attempt ──▶ sink
//	                               ▲                                               │
//	                               └──────────────── Item.Settle ◀─────────────────┘
//
// A core decides what must be written, and when. There are two cores: [series.Cache] groups
// occurrences into series, and package correlator lets client-go's correlator decide what to write
// for each occurrence. An engine has one of them or both.
//
// Read [Config] first, then engine.go, record.go, write.go and drain.go.
package engine

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/lifecycle"
	"github.com/eventseries/eventseries/internal/selector"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/writer"
)

// Engine counts occurrences in its cores, and sends the writes that the cores request to a sink.
// Create one with [New], start it with Start, and end it with Drain or Shutdown. It is safe for
// concurrent use.
type Engine struct {
	// config is the configuration, including the defaults.
	config Config
	// optionsErr lists the invalid options. Start returns it. It is nil if Config.Lenient is set.
	optionsErr error
	// dropAll is the reason for dropping every occurrence. None means that occurrences are
	// recorded.
	dropAll stats.Reason
	// began is when the engine was created.
	began time.Time

	// cores contains one or two cores. An occurrence stays in the core that has taken it.
	cores []series.Core
	// cache is the core of the series, or nil if there are no series. Recorders call it directly,
	// rather than as a [series.Core], because the arguments of an interface's method escape to the
	// heap.
	cache *series.Cache
	// poked receives a value when cache has a deadline before the next wake-up of the timer. It is
	// nil if cache is nil.
	poked    <-chan struct{}
	writer   *writer.Writer[series.Item]
	watchers *broadcast.Watchers[Watched]
	log      *broadcast.Log
	requests *broadcast.Handlers[Request]

	life *broadcast.Life
	// flushed is true if Flush was called before Start.
	flushed atomic.Bool
	// stop is closed after a drain has written the pending occurrences or given up.
	stop chan struct{}

	// The fields below may be used only in functions that life.During or life.Start calls.

	// started is true if Start has begun to write.
	started bool
	// loops are the writer and the timer, or nil while they do not run.
	loops *loops
	// users is the number of calls that keep the loops running: the call of Start, which needs them
	// until the engine ends, and each unfinished call of Flush that began before Start.
	users int
	// selector is the selector of all cores.
	selector *selector.Selector
}

// New returns an engine with the configuration c. It starts no goroutine and does no I/O. If
// options are invalid, Start returns an error about them. If c.Lenient is set, New logs the error
// instead.
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
		// None leaves the core open.
		core.Close(dropAll)
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

// newCache returns a cache of series with the limits of the configuration.
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

// SetSelector parses text as a selector. From then on, the cores drop every occurrence that the
// selector does not match, with the reason Unselected. If text is invalid, SetSelector returns an
// error and changes nothing.
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

// Start starts the writes. It returns an error and does nothing else if an option is invalid, if
// there is no sink, or after an earlier call of Start or Drain.
//
// When ctx ends, all pending occurrences become due at once. Unless Drain or Shutdown is called
// within the drain timeout after that, the engine drains itself.
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

// StartUntil calls Start with a context that ends when Config.Context ends or stop is closed. The
// goroutine that waits for stop also ends with the engine, so stop need not be closed.
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

// Config returns the configuration, including the defaults. The caller must not modify it.
func (e *Engine) Config() *Config { return &e.config }

// Log returns the log of incidents.
func (e *Engine) Log() *broadcast.Log { return e.log }

// apply carries out the effects of a change in a core: it passes the due items to the writer, and
// reports the drops. err is the answer to a write that led to the drops, or nil.
func (e *Engine) apply(effects series.Effects, err error) {
	for _, d := range effects.Due {
		e.writer.Enqueue(d.Item, d.Namespace(), d.Class)
	}
	e.reportDropped(effects.Dropped, err)
}

// Totals returns the sums of the counters of all cores. The counters of each core are consistent,
// and so are the sums: Observed = Recorded + Pending + all drops.
func (e *Engine) Totals() series.Snapshot {
	sum := e.cores[0].Snapshot()
	for _, core := range e.cores[1:] {
		sum.Add(core.Snapshot())
	}
	return sum
}

// pendingIn returns the number of pending occurrences in a namespace.
func (e *Engine) pendingIn(namespace string) (n int64) {
	for _, core := range e.cores {
		n += core.PendingIn(namespace)
	}
	return n
}

// loops controls the goroutines of the writer and of the timer. These goroutines run from Start
// until the end of the engine. Before Start they run only while a Flush needs them.
type loops struct {
	// life is the group of all goroutines of the engine. A drain waits for it.
	life *lifecycle.Group
	// own is the group of the goroutines of these loops. A Flush before Start waits for it.
	own lifecycle.Group
	// ctx is the context of the loops and of all requests. The function end cancels ctx, and so
	// ends the loops.
	ctx context.Context
	end context.CancelFunc
}

// spawn runs fn in a new goroutine that belongs to both groups.
func (l *loops) spawn(fn func()) {
	leave := l.own.Join()
	l.life.Go(func() {
		defer leave()
		fn()
	})
}

// useLoops adds a user of the loops, and starts them if they are not running. The loops and their
// requests inherit the values of ctx but not its end, because pending occurrences are still written
// after ctx has ended. useLoops must be called in a function that life.During or life.Start calls.
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

// runMeanwhile keeps the loops running until leave is called. It is for a Flush before Start. After
// Start it does nothing, because the loops run anyway.
//
// If neither Start nor another Flush needs the loops, leave ends them, waits until they have
// returned, and removes the series that have ended. It stops waiting one second after ctx is done,
// and abandons any write whose sink ignores its context.
func (e *Engine) runMeanwhile(ctx context.Context) (leave func()) {
	var l *loops
	e.life.During(func(s broadcast.State) {
		if s == broadcast.NotStarted {
			e.flushed.Store(true)
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

// runTimer passes series to the writer when their deadlines pass, until stop is closed.
//
// For a short time, a timer of Flush and a timer of Start may both run. A poke of the cache reaches
// only one of these two timers, and may announce a deadline that the other one does not know.
// Therefore runTimer sends one more poke before it returns.
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

// expire makes the cores handle all deadlines that have passed. It returns the next deadline, or
// zero if there is none.
func (e *Engine) expire() (next time.Time) {
	for _, core := range e.cores {
		effects, at := core.Expire(e.config.Clock.Now())
		e.apply(effects, nil)
		next = stats.Earlier(next, at)
	}
	return next
}

// sleep blocks until the time that next holds, or until a poke of the cache announces an earlier
// deadline. If next is zero, it waits only for a poke. It returns false if stop is closed.
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
