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

// Broadcaster groups recorded occurrences into series, and writes each series to a [Sink] as one
// Event with a count. Create one with [NewBroadcaster], start writing with [Broadcaster.Start], and
// end it with [Broadcaster.Drain] or [Broadcaster.Shutdown]. A Broadcaster is safe for concurrent
// use.
type Broadcaster struct {
	engine  *engine.Engine
	repairs repairs
	// loggedNoUID is true once it has been logged that an object has no UID or no kind.
	loggedNoUID atomic.Bool
}

// NewBroadcaster returns a broadcaster that writes to sink once it is started. NewBroadcaster
// itself starts no goroutine and does no I/O. Occurrences that are recorded before Start stay
// pending until Start or Flush writes them. Start returns an error if an option is invalid.
//
// If sink is client-go's *events.EventSinkImpl, the broadcaster uses the client inside the sink
// directly. It disables the client's own retries, because the broadcaster itself retries failed
// writes.
//
// A broadcaster with a nil sink only serves its watchers: it keeps no series, counts every
// occurrence in Dropped[DropFiltered], and cannot be started.
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
// module. Code outside the module cannot call it, because engine.Config is in an internal package.
func FromEngine(c engine.Config) *Broadcaster {
	c.Lost = newAbandonedError
	return &Broadcaster{engine: engine.New(c)}
}

// SetSelector sets which occurrences are written. After the call, each new occurrence that the
// selector does not match is dropped and counted in Dropped[DropUnselected]. Occurrences that are
// already pending are still written. Watchers receive every occurrence, whether it matches or not.
//
// text is a Kubernetes field selector, such as "type=Warning" or "reason!=Pulled,reason!=Created".
// The fields are type, reason, action, reportingController, regarding.kind, regarding.namespace and
// related.kind. The empty text, which is the default, matches everything. If text is invalid,
// SetSelector returns an error and does not change the selector.
func (b *Broadcaster) SetSelector(text string) error { return b.engine.SetSelector(text) }

// Start starts writing series to the sink. It returns a single error that reports all invalid
// options, or an error if there is no sink. If the broadcaster has already been started or drained,
// Start returns an error and has no effect.
//
// When ctx ends, the broadcaster does not end. It makes every pending series due immediately, and
// cuts short every back-off that is in progress. Occurrences that the component records while it
// stops are still counted and written, until Drain or Shutdown is called. If neither is called
// within the drain timeout ([WithDrainTimeout]), the broadcaster drains itself, and gives up after
// another drain timeout.
//
// The context that is passed to the sink has the values of ctx, but does not end when ctx ends. It
// ends when the write takes longer than 30 seconds, or when the context of Drain ends.
func (b *Broadcaster) Start(ctx context.Context) error {
	if err := b.engine.Start(ctx); err != nil {
		return err
	}
	b.logUnshared()
	return nil
}

// logUnshared logs the note policies, if any, under which WithSharedCounts has no effect.
func (b *Broadcaster) logUnshared() {
	if notes := unshared(b.engine.Config()); len(notes) > 0 {
		b.engine.Config().Logger.Info("WithSharedCounts has no effect under NotesDistinct: each process writes Events "+
			"of its own. Use a policy other than the ones in notes", "advice", "shared-counts", "notes", notes)
	}
}

// Drain ends the broadcaster. It writes the final count of every series, and returns when all of
// them are written and every goroutine has ended. Call it last, after all code that records has
// ended. Later occurrences are counted in Dropped[DropStopped]. The first of them is logged, and
// another line is logged each time their number doubles.
//
// Drain cuts short every back-off that is in progress, so that it tries to write each pending
// series. Each pending series needs a request, so a rate limit of the client can make Drain slow.
// If ctx ends first, Drain cancels the writes in flight and waits at most one second for them.
// Occurrences that are still not recorded after this wait are counted in Dropped[DropAbandoned],
// and Drain returns an [*AbandonedError] that wraps the error of ctx. Drain does not log this
// error. If the broadcaster was never started, Drain writes nothing and abandons all pending
// occurrences.
//
// Drain also waits until the watchers have handled the Events in their queues. Events that have not
// been handled when ctx ends are counted in [Stats.WatcherDropped]. If a handler is still running
// when ctx ends, Drain waits at most one more second for it to return.
//
// If the sink is a [Flusher], Drain finally calls the Flush method of the sink. If Flush returns an
// error, the error of Drain contains it.
//
// If Drain or Shutdown is called more than once, even concurrently, the first call does the work,
// and the other calls wait for it and return the same result. The drain gives up as soon as the
// context of any of these calls ends. Watchers, drop handlers and sinks must not call Drain.
func (b *Broadcaster) Drain(ctx context.Context) error { return b.engine.Drain(ctx) }

// Shutdown is Drain with a context that ends after the drain timeout ([WithDrainTimeout], 5 seconds
// by default). Instead of returning an error, such as the loss of occurrences, it logs the error.
func (b *Broadcaster) Shutdown() { b.engine.Shutdown() }

// DrainTimeout returns the drain timeout; see [WithDrainTimeout].
func (b *Broadcaster) DrainTimeout() time.Duration { return b.engine.Config().DrainTimeout }

// Flush makes every pending series due immediately, and blocks until the occurrences that were
// observed before the call are recorded or dropped. Give ctx a deadline, because without one Flush
// can block for an hour while the server cannot be reached. If ctx ends first, Flush returns an
// error that wraps the error of ctx and contains the number of unwritten series. Flush drops
// nothing when ctx ends.
//
// Flush also works without Start, so a short program such as a command, a Job or a test does not
// need Start. In this case Flush itself runs the writer and the timer, and starts a goroutine for
// each write. It also ends the series that have had no occurrence for the finish interval, and
// returns an error if an option is invalid. All of its goroutines have ended when Flush returns,
// with one exception: if a sink ignores ctx, Flush returns one second after the end of ctx, while
// the call of the sink is still running.
//
// If the sink is a [Flusher], Flush finally calls the Flush method of the sink. If the sink's
// method ignores ctx, Broadcaster.Flush returns an error one second after the end of ctx.
func (b *Broadcaster) Flush(ctx context.Context) error { return b.engine.Flush(ctx) }

// Stats returns the counters of the broadcaster, all taken at the same moment. It takes time
// proportional to the number of series.
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
