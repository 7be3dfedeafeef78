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

// Broadcaster counts the occurrences of its recorders in series, and writes each series to a [Sink]
// as one Event. [NewBroadcaster] makes one, [Broadcaster.Start] begins to write, and
// [Broadcaster.Drain] or [Broadcaster.Shutdown] ends it. A Broadcaster is safe for concurrent use.
type Broadcaster struct {
	engine  *engine.Engine
	repairs repairs
	// loggedNoUID is true once the log says that an object has no UID.
	loggedNoUID atomic.Bool
}

// NewBroadcaster returns a broadcaster that writes to sink after Start. NewBroadcaster itself
// starts no goroutine and does no I/O. Occurrences that are recorded before Start are pending until
// Start or Flush writes them. Start returns an error if an option is invalid.
//
// If sink is client-go's *events.EventSinkImpl, the broadcaster uses the client in it directly. The
// client then sends each request once, because the broadcaster retries failed writes itself.
//
// A broadcaster with a nil sink only serves its watchers: it keeps no series, drops every
// occurrence as Dropped[DropFiltered], and cannot be started.
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

// FromEngine returns a broadcaster with the configuration c. It is for the other packages of this
// module. Code outside of the module cannot call it, because engine.Config is in an internal
// package.
func FromEngine(c engine.Config) *Broadcaster {
	c.Lost = newAbandonedError
	return &Broadcaster{engine: engine.New(c)}
}

// SetSelector sets which occurrences are written. From now on an occurrence that text does not
// select is dropped as Dropped[DropUnselected]. Occurrences that are already pending are still
// written. Watchers get every occurrence, whether it is selected or not.
//
// text has the syntax of a field selector of Kubernetes, such as "type=Warning" or
// "reason!=Pulled,reason!=Created". The fields are type, reason, action, reportingController,
// regarding.kind, regarding.namespace and related.kind. An empty text selects everything, which is
// the default. If text is invalid, SetSelector returns an error and does not change the selector.
func (b *Broadcaster) SetSelector(text string) error { return b.engine.SetSelector(text) }

// Start begins to write the series. It returns one error for all invalid options, and an error if
// there is no sink. If the broadcaster was started or drained before, Start returns an error and
// has no effect.
//
// The end of ctx does not end the broadcaster. It makes every pending series due immediately and
// ends every back-off once. Occurrences that the component records while it stops are still counted
// and written, until Drain or Shutdown is called. If neither is called within the drain timeout
// ([WithDrainTimeout]), the broadcaster drains by itself, and gives up after the same time again.
//
// The context that a sink gets has the values of ctx, and does not end with ctx. It ends when the
// write takes longer than 30 seconds, or when the context of Drain ends.
func (b *Broadcaster) Start(ctx context.Context) error {
	if err := b.engine.Start(ctx); err != nil {
		return err
	}
	b.logUnshared()
	return nil
}

// logUnshared logs the note policies under which WithSharedCounts has no effect, if there are any.
func (b *Broadcaster) logUnshared() {
	if notes := unshared(b.engine.Config()); len(notes) > 0 {
		b.engine.Config().Logger.Info("WithSharedCounts has no effect under NotesDistinct: each process writes Events "+
			"of its own. Use a policy other than the ones in notes", "advice", "shared-counts", "notes", notes)
	}
}

// Drain ends the broadcaster: it writes the final count of every series, and returns when this is
// done and every goroutine has ended. Call it last, after all code that records has ended. Later
// occurrences are dropped as Dropped[DropStopped]. The first of them is logged, and then again each
// time that their number has doubled.
//
// Drain ends every back-off once, so that it tries to write each pending series. Each pending
// series needs a request, and the client may have a rate limit. If ctx ends first, Drain cancels
// the writes in flight and waits for them for at most a second. Occurrences that are not recorded
// by then are dropped as Dropped[DropAbandoned], and Drain returns an [*AbandonedError], which
// wraps the error of ctx. Drain does not log this error. If the broadcaster was never started,
// Drain writes nothing and abandons all pending occurrences.
//
// Drain also waits until the watchers have handled the Events in their queues. Events that are not
// handled when ctx ends are counted in [Stats.WatcherDropped]. A handler that still runs then has
// one more second to return.
//
// If the sink is a [Flusher], Drain flushes it last, and returns its error together with its own.
//
// If Drain and Shutdown are called more than once, also concurrently, the first call does the work.
// The other calls wait for it and return the same result. The drain gives up as soon as the context
// of any of these calls ends. Watchers, drop handlers and sinks must not call Drain.
func (b *Broadcaster) Drain(ctx context.Context) error { return b.engine.Drain(ctx) }

// Shutdown is Drain with a context that ends after the drain timeout ([WithDrainTimeout], 5 seconds
// by default). It logs the error that Drain returns, such as a loss.
func (b *Broadcaster) Shutdown() { b.engine.Shutdown() }

// DrainTimeout returns the drain timeout, which [WithDrainTimeout] sets.
func (b *Broadcaster) DrainTimeout() time.Duration { return b.engine.Config().DrainTimeout }

// Flush makes every pending series due immediately, and blocks until the occurrences that were
// observed before the call are recorded or dropped. Give ctx a deadline, because otherwise Flush
// may wait for an hour if the server cannot be reached. If ctx ends first, Flush returns an error
// that wraps the error of ctx and has the number of unwritten series. It drops nothing because of
// that.
//
// Flush also works without Start, so a short program such as a command, a Job or a test does not
// need Start. In this case Flush runs the writer and the timer itself, and a goroutine for each
// write. It also ends the series that had no occurrence in the finish interval, and returns the
// error for invalid options. All goroutines have ended when Flush returns, with one exception: if a
// sink ignores ctx, Flush leaves its call behind a second after the end of ctx.
//
// If the sink is a [Flusher], Flush flushes it last. If the sink ignores ctx, Flush returns an
// error a second after the end of ctx.
func (b *Broadcaster) Flush(ctx context.Context) error { return b.engine.Flush(ctx) }

// Stats returns the counters of the broadcaster, all of the same moment. Its cost grows with the
// number of series.
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
