// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"context"
	"time"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/selector"
	"github.com/eventseries/eventseries/internal/stats"
)

// Core decides what a broadcaster writes, and does no I/O. [Cache] is the core of series, and package
// correlator has the core of client-go's correlator. How an occurrence gets into a core differs, so it
// is not part of the interface. A Core is safe for concurrent use, as its items are, and calls nothing
// of its callers while it holds a lock.
type Core interface {
	// Drop counts an occurrence of which no Event can be made, and returns the reason under which
	// it counts. That is the given reason, unless the core was closed as Stopped: then it is
	// Stopped, because after the end nobody needs to correct the call.
	Drop(labels stats.MetricLabels, reason stats.Reason) stats.Reason
	// SelectBy drops as Unselected what a selector does not select, from now on. Nil selects all.
	SelectBy(s *selector.Selector)

	// Expire looks at all deadlines that have come. It must be called again at next, if
	// that is not zero.
	Expire(now time.Time) (_ Effects, next time.Time)
	// Flush makes everything that is unwritten due, and lets f wait for it.
	Flush(now time.Time, f *Flush) Effects
	// Close drops every later occurrence for a reason. With [stats.None] it opens the core again.
	Close(reason stats.Reason)
	// Abandon drops everything unwritten, in flight or not. Later answers change nothing.
	Abandon() []Dropped

	// Snapshot returns consistent totals.
	Snapshot() Snapshot
	// PendingIn returns how many occurrences of a namespace are unwritten. It looks at all items.
	PendingIn(namespace string) int64
	// List returns the n items with the highest counts, if it counts them, and the n that wait
	// longest, in no order and perhaps with others.
	List(n int, now time.Time) (frequent, waiting []State)
}

// Item is a series, or one occurrence of package correlator. The writer has at most one write in flight
// for each. Its methods take the lock of the core.
type Item interface {
	// Begin returns the next write of an item that the writer had, or nil if there is none. The caller
	// sends it now, and calls Settle exactly once, whatever becomes of it.
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

// Result says what became of an occurrence.
type Result struct {
	// Dropped is the reason for which it was dropped, or None.
	Dropped stats.Reason
	// Times is how often it was dropped, if more than once: package legacy counts an occurrence once
	// for each sink.
	Times int64
	// LeftOut reports that annotations were left out, because they are too large.
	LeftOut bool
	// Overflowed reports that Series is the overflow series of its object.
	Overflowed bool
	// Series is the item in which the occurrence counts, or nil.
	Series Item
	// Count is the number of occurrences of Series, with this one.
	Count int64
	// Effects are the effects on Series, and on others.
	Effects
}

// Effects are what a change of state asks the broadcaster to do.
type Effects struct {
	Due     []Due     // to hand to the writer
	Dropped []Dropped // to report
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
	// Unconfirmed counts the occurrences that the server may have nevertheless.
	Unconfirmed int64
	// Err is the cause, if the answer to a write does not say it.
	Err error
}

// Sink is events.Sink, which this package must not import, because package events is built on it.
type Sink interface {
	Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error)
	Patch(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error)
}
