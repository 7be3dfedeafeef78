// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package correlator

import (
	"container/list"
	"sync/atomic"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/timing"
)

// objectKey identifies a queue by the sink, the object and the source of its occurrences. The
// occurrences of a queue must stay in order, because the correlator may count them together. See
// sink.keyOf.
type objectKey struct {
	sink                         *sink
	component, host              string
	group, kind, namespace, name string
	uid                          types.UID
}

// queue contains the pending occurrences about one object for one sink, the oldest first.
type queue struct {
	objectKey
	waiting []*occurrence
}

// enqueueFirst makes the first occurrence due, unless the queue is empty or the writer already has
// that occurrence.
func (q *queue) enqueueFirst(effects *series.Effects) {
	if len(q.waiting) > 0 && !q.waiting[0].queued {
		q.waiting[0].queued = true
		effects.Due = append(effects.Due, series.Due{Item: q.waiting[0], Class: q.waiting[0].class()})
	}
}

// occurrence is one recorded occurrence that is pending for one sink. It implements [series.Item].
type occurrence struct {
	// Series contains the texts of the occurrence. It counts nothing else.
	*series.Series

	// at is when the occurrence was recorded.
	at time.Time
	// first is the class of the occurrence until the correlator has been asked about it.
	first request.Class
	// weight is the part of Core.weight that belongs to this occurrence.
	weight  int
	account *stats.Account[*Core]
	queue   *queue
	// gone is true once the occurrence is recorded or dropped. It is atomic because the writer
	// reads it without holding the lock of the core.
	gone atomic.Bool
	// inWaiting is the element of the occurrence in Core.waiting.
	inWaiting *list.Element
	// flushes are the calls of Flush that wait for the occurrence.
	flushes []*series.Flush
	// queued is true once the occurrence has been passed to the writer.
	queued bool
	// writing is true from Begin to Settle.
	writing bool
	// maybeThere is true if an attempt had no clear answer, so the server may have stored the
	// occurrence.
	maybeThere bool

	// write is what the correlator wants to be written, or nil before the first attempt.
	write *write
}

// Gone implements [series.Item].
func (o *occurrence) Gone() bool { return o.gone.Load() }

// tooOldAt returns the time at which o is dropped if it is still pending.
func (o *occurrence) tooOldAt() time.Time { return o.at.Add(timing.RetryFor) }

// class returns the class of the next write of o.
func (o *occurrence) class() request.Class {
	switch {
	case o.write == nil, o.write.Op == request.Create:
		return o.first
	case o.write.event.Count == 2:
		return request.Second
	default:
		return request.Count
	}
}

// Begin implements [series.Item]. It asks the correlator only on the first attempt, because the
// correlator counts the occurrence each time it is asked. Later attempts send the same request
// again.
//
// Begin does not hold the lock of the core while it asks the correlator, because the correlator
// calls functions that the user has passed in its options.
func (o *occurrence) Begin(now time.Time) (w *series.Write, effects series.Effects) {
	c := o.account.Owner
	c.mu.Lock()
	defer c.mu.Unlock()
	if o.Gone() {
		return nil, effects
	}
	// From here on Expire ignores o.
	o.writing = true
	if o.write == nil {
		c.mu.Unlock()
		write, reason, err := o.queue.sink.correlate(o)
		c.mu.Lock()
		// Abandon has dropped o while the lock was not held.
		if o.Gone() {
			return nil, effects
		}
		o.write = write
		if write == nil {
			c.dropLocked(o, reason, err, &effects)
			return nil, effects
		}
	}
	o.write.Attempt++
	o.write.Sent = now
	return &o.write.Write, effects
}

// Settle implements [series.Item]. It counts o as recorded or dropped, or returns the class of the
// next attempt. The next attempt sends the same name and the same count. The count is absolute, so
// it does no harm if the server has already applied the write.
func (o *occurrence) Settle(
	w *series.Write, v request.Verdict, _ *eventsv1.Event, now time.Time,
) (next request.Class, effects series.Effects) {
	c := o.account.Owner
	c.mu.Lock()
	defer c.mu.Unlock()
	o.writing = false
	// Abandon has dropped o while the write was in flight.
	if o.Gone() {
		return request.NoWrite, effects
	}
	switch {
	case v.Action == request.Stored:
		o.account.Recorded++
		if w.Op == request.Create {
			o.account.Creates++
		} else {
			o.account.Patches++
		}
		c.removeLocked(o, &effects)
	case v.Action == request.Drop:
		c.dropLocked(o, v.Reason, nil, &effects)
	default:
		o.prepareRetry(v)
		if now.Before(o.tooOldAt()) {
			return o.class(), effects
		}
		c.dropLocked(o, stats.TooOld, nil, &effects)
	}
	return request.NoWrite, effects
}

// prepareRetry prepares the next attempt after a failed one. If the Event of a Patch is gone, the
// Patch becomes a Create. If the Event of a Create exists, the Create becomes a Patch.
func (o *occurrence) prepareRetry(v request.Verdict) {
	w := o.write
	o.account.Retries++
	o.maybeThere = o.maybeThere || v.Ambiguous
	switch {
	case v.Action == request.Recreate:
		w.Op = request.Create
		// The server refuses a Create with a resourceVersion.
		w.event.ResourceVersion = ""
	case v.Exists:
		w.Op = request.Patch
	}
	w.Recreates = !o.maybeThere && w.Write.Patch != nil
}

// state describes o for the debug page. pending is the number of occurrences in its queue,
// including o.
func (o *occurrence) state(pending int64) series.State {
	first := o.First()
	_, name := o.EventName()
	state := series.NewState(&first, name)
	state.Observed = pending
	state.Pending = pending
	state.First = o.at
	state.Last = o.at
	state.PendingSince = o.at
	state.WaitsFor = series.WaitTurn
	if o.writing {
		state.WaitsFor = series.WaitAnswer
	}
	if w := o.write; w != nil {
		state.Attempts = w.Attempt
		if o.writing {
			state.WaitsSince = w.Sent
		}
	}
	return state
}
