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

// Core decides what a broadcaster writes. It does no I/O. It is implemented by [Cache], for series,
// and by package correlator, for client-go's correlator. Recording an occurrence is not part of the
// interface, because each of the two has its own method for it.
//
// A Core and its items are safe for concurrent use. They call no code of their callers while they
// hold a lock.
type Core interface {
	// Drop counts the drop of an occurrence that cannot become an Event, and returns the reason
	// under which it counts the drop. This is the given reason, or Stopped if the core was closed
	// with the reason Stopped, because nobody needs to correct a call that comes after the end of
	// the broadcaster.
	Drop(labels stats.MetricLabels, reason stats.Reason) stats.Reason
	// SelectBy makes s the selector of the core: every later occurrence that s does not match is
	// dropped with the reason Unselected. A nil selector matches all occurrences.
	SelectBy(s *selector.Selector)

	// Expire handles all deadlines that have passed. It must be called again at the time that it
	// returns as next, unless that time is zero.
	Expire(now time.Time) (_ Effects, next time.Time)
	// Flush makes f wait for all items that have unwritten occurrences, and makes these items due.
	Flush(now time.Time, f *Flush) Effects
	// Close makes the core drop every later occurrence with the given reason. The reason
	// [stats.None] opens the core again.
	Close(reason stats.Reason)
	// Abandon drops all unwritten occurrences, including those whose write is in flight. The
	// answers to these writes no longer change anything.
	Abandon() []Dropped

	// Snapshot returns the totals of the core, all as of the same moment.
	Snapshot() Snapshot
	// PendingIn returns the number of unwritten occurrences in a namespace. It is slow if the core
	// has many items, because it visits all of them.
	PendingIn(namespace string) int64
	// List returns the n items with the highest counts, and the n items that have waited longest.
	// The first result is empty for package correlator, which does not count. The results are not
	// sorted, and may contain more than these n items.
	List(n int, now time.Time) (frequent, waiting []State)
}

// Item is what the writer writes: a series or, in package correlator, a single occurrence. The
// writer has at most one write of an item in flight. The methods Begin, Settle and EventName may
// take a lock of the core; the others take none.
type Item interface {
	// Begin returns the next write of the item, or nil if there is nothing to write. The writer
	// calls it when it has taken the item from its queue. The caller must send the write at once,
	// and then call Settle exactly once, whether or not the write has succeeded.
	Begin(now time.Time) (*Write, Effects)
	// Settle updates the item with v, the verdict on the answer to w. stored is the Event in the
	// answer, or nil if the answer contains none. Settle returns the class of the item's next
	// write, or NoWrite if the item needs no further write.
	Settle(w *Write, v request.Verdict, stored *eventsv1.Event, now time.Time) (next request.Class, _ Effects)
	// Gone reports whether the core no longer holds the item. The writer discards such an item.
	Gone() bool
	// Namespace returns the namespace of the Event.
	Namespace() string
	// EventName returns the namespace and the name of the Event.
	EventName() (namespace, name string)
	// First returns the first occurrence, without its time and annotations.
	First() Occurrence
}

// Result describes what happened to an occurrence.
type Result struct {
	// Dropped is the reason why the occurrence was dropped, or None if it was not.
	Dropped stats.Reason
	// Times is the number of sinks for which the occurrence was dropped. Only package correlator
	// sets it, because it counts an occurrence once for each sink. If Times is 0, a drop counts
	// once.
	Times int64
	// LeftOut is true if annotations were left out because of their size.
	LeftOut bool
	// Overflowed is true if Series is the overflow series of the object; see [Cache.LimitObjects].
	Overflowed bool
	// Series is the item that counts the occurrence, or nil if there is none.
	Series Item
	// Count is the number of occurrences in Series, including this one.
	Count int64
	// Effects are the effects on Series and on other items.
	Effects
}

// Effects are the actions that the broadcaster must take after a change of state.
type Effects struct {
	Due     []Due     // to hand to the writer
	Dropped []Dropped // to report
}

// Due is an item that must be handed to the writer.
type Due struct {
	Item
	Class request.Class
}

// Dropped describes the occurrences of one item that were dropped together.
type Dropped struct {
	Item
	Reason      stats.Reason
	Occurrences int64
	// Unconfirmed is how many of the dropped occurrences the server might have stored all the same,
	// because a write of them had no clear answer.
	Unconfirmed int64
	// Err is the error that caused the drop. It is nil if there is none, or if that error is the
	// answer to a write.
	Err error
}

// Sink is the same interface as events.Sink. This package cannot import package events, because
// that package imports this one.
type Sink interface {
	Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error)
	Patch(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error)
}
