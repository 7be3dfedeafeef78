// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"context"
	"slices"
	"time"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/selector"
	"github.com/eventseries/eventseries/internal/stats"
)

// Core decides what a broadcaster writes, and does no I/O. [Cache] is the one of series,
// package correlator has the one of client-go's correlator, and [Both] is the two. It is
// safe for concurrent use, as its items are, and calls nothing of the caller's while it
// holds a lock.
type Core interface {
	// Observe counts an occurrence, whose packed key is key, and copies what it keeps. With
	// [Result.Missing] it has counted nothing: the caller completes the occurrence, which
	// then has a note and a name, and calls again.
	Observe(o *Occurrence, key PackedKey) Result
	// Drop counts an occurrence that cannot be written, and returns the reason, which is
	// Stopped if the core is closed for that.
	Drop(labels stats.Labels, reason stats.Reason) stats.Reason
	// SelectBy drops as Muted what a selector does not select, from now on. Nil selects all.
	SelectBy(s *selector.Selector)

	// Expire looks at all deadlines that have come. It must be called again at next, if
	// that is not zero.
	Expire(now time.Time) (_ Effects, next time.Time)
	// Flush makes everything that is unwritten due, and lets f wait for it.
	Flush(now time.Time, f *Flush) Effects
	// Close drops every later occurrence for a reason.
	Close(reason stats.Reason)
	// Abandon drops everything unwritten, in flight or not. Later answers change nothing.
	Abandon() []Dropped

	// Snapshot returns consistent totals.
	Snapshot() Snapshot
	// List returns at most n of the items with the highest counts, and n of those that
	// wait longest.
	List(n int, now time.Time) (frequent, waiting []State)
}

// Item is what the writer has one write at a time for: a series, or one occurrence of
// package correlator. The caller needs no lock.
type Item interface {
	// Begin returns the next write of an item that the writer had, nil if there is none.
	// The write is sent now, and must be answered with Settle.
	Begin(now time.Time) (*Write, Effects)
	// Settle changes the state of the item by the answer to w, and returns what the item
	// needs next. stored is the Event of the answer, if any.
	Settle(w *Write, v request.Verdict, stored *eventsv1.Event, now time.Time) (next request.Class, _ Effects)
	// Gone reports whether the core has dropped the item, so that the writer need not
	// keep it.
	Gone() bool
	// Namespace returns the namespace of the Event.
	Namespace() string
	// EventName returns the namespace and the name of the Event.
	EventName() (namespace, name string)
	// First returns the first occurrence, without its time and annotations.
	First() Occurrence
}

// Sink is events.Sink.
type Sink interface {
	Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error)
	Patch(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error)
}

// Effects are what a change of state asks the broadcaster to do.
type Effects struct {
	Due     []Due     // to hand to the writer
	Dropped []Dropped // to report
}

func (e *Effects) add(more Effects) {
	e.Due = append(e.Due, more.Due...)
	e.Dropped = append(e.Dropped, more.Dropped...)
}

// Due is an item that must be handed to the writer.
type Due struct {
	Item
	Class request.Class
}

// Dropped is what was dropped of one item at once.
type Dropped struct {
	Item
	Reason      stats.Reason
	Occurrences int64
	Unconfirmed int64 // of the occurrences: the server may have them all the same
	Err         error // why, if the answer to a write does not say it
}

// Both is a cache of series and another core as one. Who observes an occurrence chooses
// between the two. What a core has taken stays with it, so no switch loses anything.
type Both struct {
	*Cache
	Other Core
}

var _ Core = Both{}

// SelectBy implements [Core].
func (b Both) SelectBy(s *selector.Selector) {
	b.Cache.SelectBy(s)
	b.Other.SelectBy(s)
}

// Expire implements [Core].
func (b Both) Expire(now time.Time) (effects Effects, next time.Time) {
	effects, next = b.Cache.Expire(now)
	other, at := b.Other.Expire(now)
	effects.add(other)
	return effects, stats.Earlier(next, at)
}

// Flush implements [Core].
func (b Both) Flush(now time.Time, f *Flush) Effects {
	effects := b.Cache.Flush(now, f)
	effects.add(b.Other.Flush(now, f))
	return effects
}

// Close implements [Core].
func (b Both) Close(reason stats.Reason) {
	b.Cache.Close(reason)
	b.Other.Close(reason)
}

// Abandon implements [Core].
func (b Both) Abandon() []Dropped { return append(b.Cache.Abandon(), b.Other.Abandon()...) }

// Snapshot implements [Core]. Each half is consistent, and so is the sum.
func (b Both) Snapshot() Snapshot {
	now, other := b.Cache.Snapshot(), b.Other.Snapshot()
	for labels, balance := range other.Balances {
		now.Of(labels).Add(balance)
	}
	now.Series += other.Series
	now.OldestPending = stats.Earlier(now.OldestPending, other.OldestPending)
	return now
}

// List implements [Core].
func (b Both) List(n int, now time.Time) (frequent, waiting []State) {
	frequent, waiting = b.Cache.List(n, now)
	_, others := b.Other.List(n, now) // only the correlator knows how often something occurred
	waiting = append(waiting, others...)
	slices.SortStableFunc(waiting, func(a, b State) int { return a.PendingSince.Compare(b.PendingSince) })
	return frequent, waiting[:min(n, len(waiting))]
}
