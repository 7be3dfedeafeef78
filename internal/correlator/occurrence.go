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

// objectKey identifies a queue: the sink, and the object and source of the occurrences that must
// stay in their order because the correlator may count them together. See sink.keyOf.
type objectKey struct {
	sink                         *sink
	component, host              string
	group, kind, namespace, name string
	uid                          types.UID
}

// queue has the pending occurrences about one object for one sink, the oldest first.
type queue struct {
	objectKey
	waiting []*occurrence
}

// enqueueFirst makes the first occurrence due, unless the queue is empty or the writer has that
// occurrence already.
func (q *queue) enqueueFirst(effects *series.Effects) {
	if len(q.waiting) > 0 && !q.waiting[0].queued {
		q.waiting[0].queued = true
		effects.Due = append(effects.Due, series.Due{Item: q.waiting[0], Class: q.waiting[0].class()})
	}
}

// occurrence is one call of a recorder that is pending for one sink. It implements [series.Item].
type occurrence struct {
	// Series has the texts of the occurrence, and counts nothing else.
	*series.Series

	// at is the time of the call.
	at time.Time
	// first is the class of the occurrence until the correlator was asked about it.
	first request.Class
	// weight is its share of Core.weight.
	weight  int
	account *stats.Account[*Core]
	queue   *queue
	// gone is true once the occurrence is recorded or dropped. It is atomic because the writer
	// reads it without the lock of the core.
	gone atomic.Bool
	// inWaiting is its place in Core.waiting.
	inWaiting *list.Element
	// flushes are the calls of Flush that wait for the occurrence.
	flushes []*series.Flush
	// queued is true once the writer has it.
	queued bool
	// writing is true from Begin to Settle.
	writing bool
	// maybeThere is true if an attempt had no clear answer, so that the server may have stored it.
	maybeThere bool

	// write is the answer of the correlator, or nil before the first attempt.
	write *write
}

// Gone implements [series.Item].
func (o *occurrence) Gone() bool { return o.gone.Load() }

// tooOldAt returns the time at which o is dropped if it is still pending.
func (o *occurrence) tooOldAt() time.Time { return o.at.Add(timing.RetryFor) }

// class returns the urgency of the next write of o.
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

// Begin implements [series.Item]. It asks the correlator on the first attempt only, because the
// correlator counts the occurrence each time that it is asked. Later attempts send the same request
// again.
//
// While it asks, it does not hold the lock of the core, because functions of the caller run then.
func (o *occurrence) Begin(now time.Time) (w *series.Write, effects series.Effects) {
	c := o.account.Owner
	c.mu.Lock()
	defer c.mu.Unlock()
	if o.Gone() {
		return nil, effects
	}
	// From here on Expire passes o over.
	o.writing = true
	if o.write == nil {
		c.mu.Unlock()
		write, reason, err := o.queue.sink.correlate(o)
		c.mu.Lock()
		// Abandon has dropped o while the lock was free.
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
// next attempt. The next attempt sends the same name and the same count, which is absolute and not
// a difference, so a write that was applied without an answer does no harm.
func (o *occurrence) Settle(
	w *series.Write, v request.Verdict, _ *eventsv1.Event, now time.Time,
) (next request.Class, effects series.Effects) {
	c := o.account.Owner
	c.mu.Lock()
	defer c.mu.Unlock()
	o.writing = false
	// Abandon has dropped o during the write.
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

// prepareRetry prepares the next attempt after an answer that stored nothing: a Patch of an Event
// that is gone becomes a Create, and a Create of an Event that exists becomes a Patch.
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

// state describes o for the debug page. pending is the number of occurrences in its queue, o
// included.
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
