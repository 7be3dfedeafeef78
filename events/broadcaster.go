// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"context"
	"sync/atomic"
	"time"

	clientevents "k8s.io/client-go/tools/events"

	"github.com/eventseries/eventseries"
	"github.com/eventseries/eventseries/internal/apiclient"
	"github.com/eventseries/eventseries/internal/engine"
	"github.com/eventseries/eventseries/internal/options"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
)

// Broadcaster folds the occurrences of its recorders into series and keeps a
// [Sink] up to date with them. Make one with [NewBroadcaster], attach it to its
// sink with Start, and end it with Drain. It is safe for concurrent use.
type Broadcaster struct {
	engine  *engine.Engine
	repairs repairs
	noUID   atomic.Bool // it is logged
}

// NewBroadcaster returns a broadcaster that writes to sink once it is started.
// It starts no goroutine and does no I/O. What is recorded before Start waits.
// Invalid options are reported by Start.
//
// client-go's *events.EventSinkImpl is taken as what it wraps, so that requests
// are retried by the broadcaster alone. With a nil sink the broadcaster only
// serves its watchers: it keeps no series, counts every occurrence as
// Dropped[DropFiltered], and cannot be started.
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
	c.Lost = newAbandonedError
	return &Broadcaster{engine: engine.New(c)}
}

// SetSelector drops what text does not select: from now on that is counted as
// Dropped[DropUnselected] and not written. What is pending is written all the same; watchers and
// handlers get everything. The syntax is that of Kubernetes' field selectors, over type,
// reason, action, reportingController, regarding.kind, regarding.namespace and
// related.kind: "type=Warning", or "reason!=Pulled,reason!=Created". Empty text, the
// default, selects everything. An error says what is wrong, and changes nothing.
func (b *Broadcaster) SetSelector(text string) error { return b.engine.SetSelector(text) }

// Start begins to write. It returns every invalid option as one error, and an
// error without effect when called twice or after Drain.
//
// The end of ctx makes all that is pending due at once, and ends every back-off once. It
// does no more than that: what a component records on its way out is taken and written
// until Drain or Shutdown is called. If none of them is called within WithDrainTimeout,
// the broadcaster drains by itself, bounded by that time once more.
//
// A sink gets a context that has the values of ctx and does not end with it. It ends when
// the write takes longer than 30 seconds, or when the context of Drain ends.
func (b *Broadcaster) Start(ctx context.Context) error {
	if err := b.engine.Start(ctx); err != nil {
		return err
	}
	b.warnOfNotes()
	return nil
}

// warnOfNotes logs which options WithSharedCounts has no effect on.
func (b *Broadcaster) warnOfNotes() {
	if notes := notContinued(b.engine.Config()); len(notes) > 0 {
		b.engine.Config().Logger.Info("WithSharedCounts does not continue Events under NotesDistinct: "+
			"each process begins its own. Use another policy for them", "advice", "shared-counts", "notes", notes)
	}
}

// Drain ends the broadcaster. Later occurrences count as Dropped[DropStopped]. The first one is
// logged, and again each time that their number has doubled.
//
// Drain ends every back-off once, so that each pending series is tried. It writes the final
// count of every series, and returns when that is done and every goroutine has exited.
//
// Each pending series needs a request, and the client may have a rate limit. If ctx ends
// first, Drain cancels the writes in flight and waits for them for at most a second.
// Occurrences that are not recorded by then count as Dropped[DropAbandoned]. The error is an
// [*AbandonedError], which wraps that of ctx. Drain does not log it. Before Start, Drain
// sends nothing and abandons all pending occurrences.
//
// Watchers handle the events in their queues. Events that are not handled when ctx
// ends count as WatcherDropped. Drain waits a second for a handler that still runs.
//
// A sink that is a [Flusher] is flushed at last. Its error is added to Drain's.
//
// Call Drain last, after all code that records has ended. Concurrent and later calls
// wait for the first and return its result. The context that ends first is the bound of all.
// Watchers, drop handlers and sinks must not call it.
func (b *Broadcaster) Drain(ctx context.Context) error { return b.engine.Drain(ctx) }

// Shutdown is Drain bounded by WithDrainTimeout. It logs a loss.
func (b *Broadcaster) Shutdown() { b.engine.Shutdown() }

// DrainTimeout returns what WithDrainTimeout set.
func (b *Broadcaster) DrainTimeout() time.Duration { return b.engine.Config().DrainTimeout }

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
func (b *Broadcaster) Flush(ctx context.Context) error { return b.engine.Flush(ctx) }

// Stats returns the accounts. Its cost grows with the number of series.
func (b *Broadcaster) Stats() Stats {
	now := b.engine.Totals()
	return b.stats(&now)
}

func (b *Broadcaster) stats(now *series.Snapshot) Stats {
	c := now.Total()
	return Stats{
		Version:        eventseries.Version(),
		Observed:       c.Observed,
		Overflowed:     c.Overflowed,
		Recorded:       c.Recorded,
		Pending:        c.Pending,
		OldestPending:  now.OldestPending,
		Unconfirmed:    c.Unconfirmed,
		Dropped:        stats.DroppedBy[DropReason](&c),
		Repaired:       b.repairs.snapshot(),
		Series:         now.Series,
		Creates:        c.Creates,
		Patches:        c.Patches,
		Retries:        c.Retries,
		Evicted:        c.Evicted,
		WatcherDropped: b.engine.WatcherDropped(),
	}
}
