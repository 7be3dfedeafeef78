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

// objectKey says whose occurrences must stay in order: those that the correlator may count
// together. With a KeyFunc of the caller these may be about several objects.
type objectKey struct {
	sink                         *sink
	component, host              string
	group, kind, namespace, name string
	uid                          types.UID
}

// queue has the occurrences of an object that wait for a sink.
type queue struct {
	objectKey
	waiting []*occurrence
}

// enqueueFirst makes the first occurrence due, if there is one.
func (q *queue) enqueueFirst(effects *series.Effects) {
	if len(q.waiting) > 0 && !q.waiting[0].queued {
		q.waiting[0].queued = true
		effects.Due = append(effects.Due, series.Due{Item: q.waiting[0], Class: q.waiting[0].class()})
	}
}

// occurrence is one call of a recorder on its way to one sink. The writer has the first one
// of each queue, and no other.
type occurrence struct {
	*series.Series // of this occurrence alone

	at         time.Time
	first      request.Class // until it is correlated
	weight     int
	account    *stats.Account[*Core]
	queue      *queue
	gone       atomic.Bool // it has left; readable without the lock
	inWaiting  *list.Element
	flushes    []*series.Flush // that wait for it
	queued     bool            // the writer has it
	writing    bool            // a write is under way
	maybeThere bool            // it was sent and not answered

	write *write // what the correlator said; nil until it was asked
}

// Gone implements [series.Item].
func (o *occurrence) Gone() bool { return o.gone.Load() }

// tooOldAt is when o is given up if it is still not written.
func (o *occurrence) tooOldAt() time.Time { return o.at.Add(timing.RetryFor) }

// class is what the writer has o for.
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

// Begin implements [series.Item]. It asks the correlator on the first attempt only, because the correlator
// counts the occurrence each time that it is asked.
func (o *occurrence) Begin(now time.Time) (w *series.Write, effects series.Effects) {
	c := o.account.Owner
	c.mu.Lock()
	defer c.mu.Unlock()
	if o.Gone() {
		return nil, effects
	}
	o.writing = true // so that nobody else has it
	if o.write == nil {
		c.mu.Unlock()
		write, reason, err := o.queue.sink.correlate(o)
		c.mu.Lock()
		if o.Gone() { // Abandon has dropped it meanwhile
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

// Settle counts o as recorded or dropped, or prepares the next attempt, which sends the
// same: the name and the count in it are absolute.
func (o *occurrence) Settle(
	w *series.Write, v request.Verdict, _ *eventsv1.Event, now time.Time,
) (next request.Class, effects series.Effects) {
	c := o.account.Owner
	c.mu.Lock()
	defer c.mu.Unlock()
	o.writing = false
	if o.Gone() { // Abandon has dropped it meanwhile
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

// prepareRetry changes the write by the answer to it.
func (o *occurrence) prepareRetry(v request.Verdict) {
	w := o.write
	o.account.Retries++
	o.maybeThere = o.maybeThere || v.Ambiguous
	switch {
	case v.Action == request.Recreate:
		w.Op = request.Create
		w.event.ResourceVersion = "" // the server refuses one on creation
	case v.Exists:
		w.Op = request.Patch
	}
	w.Recreates = !o.maybeThere && w.Write.Patch != nil
}

// state describes o and what waits behind it.
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
