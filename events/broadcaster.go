// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	clientevents "k8s.io/client-go/tools/events"

	"github.com/eventseries/eventseries"
	"github.com/eventseries/eventseries/internal/apiclient"
	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/engine"
	"github.com/eventseries/eventseries/internal/lifecycle"
	"github.com/eventseries/eventseries/internal/options"
	"github.com/eventseries/eventseries/internal/selector"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/writer"
)

// Broadcaster folds the occurrences of its recorders into series and keeps a
// [Sink] up to date with them. Make one with [NewBroadcaster], attach it to its
// sink with Start, and end it with Drain. It is safe for concurrent use.
type Broadcaster struct {
	unsent     stats.Reason  // why everything is dropped, if it is
	config     engine.Config // without zero values
	optionsErr error         // returned by Start
	began      time.Time

	cores    []series.Core   // one or two; what one of them has taken stays with it
	cache    *series.Cache   // of cores, if it has one: what an interface gets escapes to the heap
	poked    <-chan struct{} // by cache
	writer   *writer.Writer[series.Item]
	repairs  repairs
	watchers *broadcast.Watchers[watched]
	log      *broadcast.Log
	requests *broadcast.Handlers[Request]
	noUID    atomic.Bool // it is logged

	life *broadcast.Life
	stop chan struct{} // closed when nothing more may begin

	// life.During guards these.
	started  bool
	loops    *loops             // nil while they do not run
	users    int                // of loops
	selector *selector.Selector // what core selects by
}

var _ clientevents.EventBroadcaster = (*Broadcaster)(nil)

// NewBroadcaster returns a broadcaster that writes to sink once it is started.
// It starts no goroutine and does no I/O. What is recorded before Start waits.
// Invalid options are reported by Start.
//
// client-go's *events.EventSinkImpl is taken as what it wraps, so that requests
// are retried by the broadcaster alone. With a nil sink the broadcaster only
// serves its watchers: it keeps no series, counts every occurrence as
// Dropped[Filtered], and cannot be started.
func NewBroadcaster(sink Sink, opts ...Option) *Broadcaster {
	c := options.Apply(context.Background(), opts)
	c.Sink = sink
	if impl, ok := sink.(*clientevents.EventSinkImpl); ok {
		c.Sink = nil
		if impl != nil && impl.Interface != nil {
			c.Sink = apiclient.NewEventsV1(impl.Interface)
		}
	}
	return FromEngine(c.Config)
}

// FromEngine returns a broadcaster with a configuration that another package of this module
// made. It is exported for those packages: no other code can make an engine.Config.
func FromEngine(c engine.Config) *Broadcaster {
	c, err := c.WithDefaults()
	unsent := c.DropAll
	if c.Sink == nil && c.Correlator == nil && unsent == stats.None {
		unsent = stats.Filtered
	}
	log := c.Log
	if log == nil {
		log = broadcast.NewLog(*c.Logger, c.Clock)
	}
	b := &Broadcaster{
		unsent:     unsent,
		config:     c,
		optionsErr: err,
		began:      c.Clock.Now(),
		stop:       make(chan struct{}),
		log:        log,
	}
	if c.Correlator == nil || c.Correlate != nil {
		b.cache = b.newCache()
		b.poked = b.cache.Poked()
		b.cores = append(b.cores, b.cache)
	}
	if c.Correlator != nil {
		b.cores = append(b.cores, c.Correlator)
	}
	for _, core := range b.cores {
		core.Close(unsent) // with None it stays open
	}
	if err != nil && c.Lenient {
		b.optionsErr = nil
		c.Logger.Error(err, "Options replaced by their defaults, or left out; fix what err names", "advice", "repaired")
	}
	b.requests = broadcast.NewHandlers[Request]("request handler", b.log)
	b.life = broadcast.NewLife(broadcast.Config{
		DrainTimeout: c.DrainTimeout,
		Hurry:        func() { b.flushAll() },
		Drain:        b.drain,
		Log:          b.log,
	})
	b.watchers = broadcast.NewWatchers[watched](&b.life.Group)
	b.writer = writer.New(writer.Config[series.Item]{
		Clock:   c.Clock,
		Most:    c.MaxInFlight,
		Timeout: c.WriteTimeout,
		Attempt: b.attempt,
	})
	if c.Supervised {
		b.life.During(func(broadcast.State) { b.life.SuperviseLocked(c.Context) })
	}
	return b
}

// NewRecorder is Recorder under client-go's name.
func (b *Broadcaster) NewRecorder(
	scheme *runtime.Scheme, reportingController string,
) clientevents.EventRecorderLogger {
	return b.Recorder(scheme, reportingController)
}

// correlates reports whether new occurrences are not those of series.
func (b *Broadcaster) correlates() bool {
	correlate := b.config.Correlate
	return b.cache == nil || correlate != nil && correlate.Load()
}

// newCache returns the core of series.
func (b *Broadcaster) newCache() *series.Cache {
	c := &b.config
	cache := series.NewCache(c.Intervals, c.MaxSeries, c.Clock.Now())
	cache.LimitObjects(c.MaxSeriesPerObject)
	cache.LimitPublishing(c.PublishBurst, c.PublishEvery)
	if c.Continuity {
		cache.Continue()
	}
	return cache
}

// SetSelector mutes what text does not select: from now on that is counted as
// Dropped[Muted] and not written. What is pending is written all the same; watchers and
// handlers get everything. The syntax is that of Kubernetes' field selectors, over type,
// reason, action, reportingController, regarding.kind, regarding.namespace and
// related.kind: "type=Warning", or "reason!=Pulled,reason!=Created". Empty text, the
// default, selects everything. An error says what is wrong, and changes nothing.
func (b *Broadcaster) SetSelector(text string) error {
	s, err := selector.Parse(text)
	if err != nil {
		return fmt.Errorf("events: %w", err)
	}
	b.life.During(func(broadcast.State) {
		for _, core := range b.cores {
			core.SelectBy(s)
		}
		b.selector = s
	})
	return nil
}

// Start begins to write. It returns every invalid option as one error, and an
// error without effect when called twice or after Drain.
//
// The end of ctx makes all that is pending due at once, and no more than that: what
// a component records on its way out is taken and written until Drain or Shutdown
// is called. If none of them is called within WithDrainTimeout, the broadcaster drains by
// itself, bounded by that time once more. Writes do not inherit the end of ctx.
func (b *Broadcaster) Start(ctx context.Context) error {
	if b.optionsErr != nil {
		return b.optionsErr
	}
	if b.unsent != stats.None {
		return errors.New("events: the broadcaster has no sink; pass one to NewBroadcaster")
	}
	err := b.life.Start(func() {
		b.started = true
		loops := b.useLoops(ctx)
		if run := b.config.Run; run != nil {
			loops.spawn(func() { run(loops.ctx) })
		}
		b.life.SuperviseLocked(ctx)
	})
	if err != nil {
		return fmt.Errorf("events: %w", err)
	}
	if notes := notContinued(&b.config); len(notes) > 0 {
		b.config.Logger.Info("WithContinuity does not continue Events under NotesDistinct: "+
			"each process begins its own. Use another policy for them", "advice", "continuity", "notes", notes)
	}
	return nil
}

// apply does what a core asks for. err is the answer that led to it, if any.
func (b *Broadcaster) apply(effects series.Effects, err error) {
	for _, d := range effects.Due {
		b.writer.Enqueue(d.Item, d.Namespace(), d.Class)
	}
	b.reportDropped(effects.Dropped, err)
}

// Stats returns the accounts. Its cost grows with the number of series.
func (b *Broadcaster) Stats() Stats {
	now := b.totals()
	return b.stats(&now)
}

// totals adds up what the cores have. Each part of it is consistent, and so is the sum.
func (b *Broadcaster) totals() series.Snapshot {
	sum := b.cores[0].Snapshot()
	for _, core := range b.cores[1:] {
		sum.Add(core.Snapshot())
	}
	return sum
}

// pendingIn returns how many occurrences wait in a namespace.
func (b *Broadcaster) pendingIn(namespace string) (n int64) {
	for _, core := range b.cores {
		n += core.PendingIn(namespace)
	}
	return n
}

func (b *Broadcaster) stats(now *series.Snapshot) Stats {
	c := now.Total()
	return Stats{
		Version:  eventseries.Version(),
		Observed: c.Observed, Folded: c.Folded, Recorded: c.Recorded, Pending: c.Pending,
		OldestPending: now.OldestPending, Unconfirmed: c.Unconfirmed, Dropped: stats.DroppedBy[DropReason](&c),
		Repaired: b.repairs.snapshot(), Series: now.Series,
		Creates: c.Creates, Patches: c.Patches, Retries: c.Retries, Evicted: c.Evicted,
		WatcherDropped: b.watchers.Dropped(),
	}
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
func (b *Broadcaster) useLoops(ctx context.Context) *loops {
	if b.users++; b.loops != nil {
		return b.loops
	}
	l := &loops{life: &b.life.Group}
	l.ctx, l.end = context.WithCancel(context.WithoutCancel(ctx))
	l.spawn(func() { b.writer.Run(l.ctx, l.spawn) })
	l.spawn(func() { b.runTimer(l.ctx.Done()) })
	b.loops = l
	return l
}

// runMeanwhile makes the loops run before Start, until leave is called. Then they have
// returned, and series that are over are forgotten, unless Start or another Flush needs them.
// A write whose sink ignores its context is left behind a second after the end of ctx.
func (b *Broadcaster) runMeanwhile(ctx context.Context) (leave func()) {
	var l *loops
	b.life.During(func(s broadcast.State) {
		if s == broadcast.NotStarted {
			l = b.useLoops(ctx)
		}
	})
	if l == nil {
		return func() {}
	}
	return func() {
		last := false
		b.life.During(func(broadcast.State) {
			if b.users--; b.users == 0 {
				last, b.loops = true, nil
				l.end()
			}
		})
		if last {
			broadcast.WaitFor(ctx, &l.own, l.end)
			b.expire()
		}
	}
}

// runTimer hands series to the writer when their deadline comes. The timers of a Flush and of
// Start may overlap for a moment, so what woke the one that stops is for the other one, too.
func (b *Broadcaster) runTimer(stop <-chan struct{}) {
	if b.cache != nil {
		defer b.cache.Poke()
	}
	for {
		if !b.sleep(b.expire(), stop) {
			return
		}
	}
}

// expire looks at the deadlines that have come, and returns when the next one will.
func (b *Broadcaster) expire() (next time.Time) {
	for _, core := range b.cores {
		effects, at := core.Expire(b.config.Clock.Now())
		b.apply(effects, nil)
		next = stats.Earlier(next, at)
	}
	return next
}

// sleep waits until next, or for a deadline that became earlier; zero means
// that there is none. It returns false when the broadcaster stops.
func (b *Broadcaster) sleep(next time.Time, stop <-chan struct{}) bool {
	var due <-chan time.Time
	if !next.IsZero() {
		timer := b.config.Clock.NewTimer(next.Sub(b.config.Clock.Now()))
		defer timer.Stop()
		due = timer.C()
	}
	select {
	case <-due:
	case <-b.poked:
	case <-stop:
		return false
	}
	return true
}
