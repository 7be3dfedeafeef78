// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package correlator

import (
	"cmp"
	"container/list"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/selector"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/timing"
)

// maxWeight is the default limit on the total weight of a core's pending occurrences. An occurrence
// weighs one, plus one for each KiB of its texts. So 16384 occurrences or about 16 MiB may wait;
// client-go's queue has 1000 places. Normals may use only three quarters of the limit, which leaves
// room for Warnings.
const maxWeight = 16384

// Core implements [series.Core] with client-go's correlator. It keeps every pending occurrence in
// memory, once for each sink. Each sink has a queue for each object. Only the occurrence at the
// head of a queue is passed to the writer, so the occurrences of an object are written in order.
//
//	Observe ─▶ queue of the object ────(its head)─────▶ writer ──▶ Begin: correlate ──▶ sink
//	                 ▲                                                                   │
//	                 └────────────────── Settle: gone, or tried again ◀──────────────────┘
//
// A Core is safe for concurrent use. It starts no goroutine. It reads no clock itself; only
// client-go's correlator reads the clock that is set in its options.
type Core struct {
	options   record.CorrelatorOptions
	maxWeight int

	// mu guards the fields below, and the fields of every occurrence and queue.
	mu sync.Mutex
	// closed is the reason for dropping every new occurrence, or None while the core is open.
	closed   stats.Reason
	selector *selector.Selector
	sinks    []*sink
	// waiting contains every pending occurrence as an *occurrence, the oldest first.
	waiting *list.List
	// queues contains the same occurrences, grouped by object. A queue is deleted when it is empty.
	queues map[objectKey]*queue
	// weight is the total weight of all pending occurrences.
	weight   int
	accounts stats.Accounts[*Core]
}

// New returns a core without sinks. Its correlators use the given options. If options has no clock,
// they use one based on clk. size is the limit on the total weight of the pending occurrences; 0
// means the default, maxWeight.
func New(options record.CorrelatorOptions, size int, clk clock.PassiveClock) *Core {
	c := &Core{
		options:   options,
		maxWeight: cmp.Or(size, maxWeight),
		waiting:   list.New(),
		queues:    map[objectKey]*queue{},
	}
	if c.options.Clock == nil {
		c.options.Clock = &uniqueClock{PassiveClock: clk}
	}
	c.accounts = stats.NewAccounts(c, &stats.LabelSets{})
	return c
}

// Observe makes an occurrence pending, once for each sink. It does not retain o. If the occurrence
// is dropped, the result contains the reason: the core is closed, the selector does not match,
// there is no sink, or too many occurrences are pending. In the last case, the occurrence is
// perhaps dropped for only some of the sinks; Result.Times is the number of these sinks.
func (c *Core) Observe(o *series.Occurrence) (r series.Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed != stats.None:
		r.Dropped = c.closed
	case !o.SelectedBy(c.selector):
		r.Dropped = stats.Unselected
	case len(c.sinks) == 0:
		r.Dropped = stats.Filtered
	}
	account := c.accounts.Of(o.MetricLabels())
	if r.Dropped != stats.None {
		account.Drop(r.Dropped, 1)
		return r
	}
	single := series.NewSingle(o)
	most, weight := c.maxWeight, 1+single.Bytes()/1024
	if o.Type == corev1.EventTypeNormal {
		most -= most / 4
	}
	for _, s := range c.sinks {
		if c.weight+weight > most {
			account.Drop(stats.QueueFull, 1)
			r.Dropped = stats.QueueFull
			r.Times++
			continue
		}
		account.Observed++
		c.weight += weight
		added := &occurrence{
			Series:  single,
			at:      o.At,
			first:   request.First(o.Type == corev1.EventTypeWarning),
			weight:  weight,
			account: account,
			queue:   c.queueLocked(s.keyOf(o)),
		}
		added.inWaiting = c.waiting.PushBack(added)
		added.queue.waiting = append(added.queue.waiting, added)
		added.queue.enqueueFirst(&r.Effects)
	}
	return r
}

// queueLocked returns the queue of key, and creates it if necessary. The caller must hold mu.
func (c *Core) queueLocked(key objectKey) *queue {
	q := c.queues[key]
	if q == nil {
		q = &queue{objectKey: key}
		c.queues[key] = q
	}
	return q
}

// dropLocked counts o as dropped with the given reason, removes o, and adds the effects of the
// removal to effects. err is the error that caused the drop. It is nil if there is none, or if that
// error is an answer of the server. The caller must hold mu.
func (c *Core) dropLocked(o *occurrence, reason stats.Reason, err error, effects *series.Effects) {
	d := series.Dropped{
		Item:        o,
		Reason:      reason,
		Occurrences: 1,
		Err:         err,
	}
	if o.maybeThere {
		d.Unconfirmed = 1
	}
	o.account.Dropped[reason]++
	o.account.Unconfirmed += d.Unconfirmed
	effects.Dropped = append(effects.Dropped, d)
	c.removeLocked(o, effects)
}

// removeLocked removes o, which was recorded or dropped, and updates the flushes that wait for it.
// If o was at the head of its queue, the next occurrence becomes due. The caller must hold mu.
func (c *Core) removeLocked(o *occurrence, effects *series.Effects) {
	q := o.queue
	// o is usually at the head of its queue, so the search is short.
	i := slices.Index(q.waiting, o)
	q.waiting = slices.Delete(q.waiting, i, i+1)
	if len(q.waiting) == 0 {
		delete(c.queues, q.objectKey)
	}
	c.waiting.Remove(o.inWaiting)
	c.weight -= o.weight
	o.gone.Store(true)
	for _, f := range o.flushes {
		f.Add(-1)
	}
	q.enqueueFirst(effects)
}

// Expire drops the occurrences that are older than timing.RetryFor, except the ones whose write is
// in flight, because Settle drops those. It returns the time at which it must be called again. An
// occurrence that is observed later does not make that time earlier.
func (c *Core) Expire(now time.Time) (effects series.Effects, next time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for e := c.waiting.Front(); e != nil; {
		o := e.Value.(*occurrence)
		if at := o.tooOldAt(); now.Before(at) {
			return effects, at
		}
		e = e.Next()
		// If a write is in flight, Settle checks the age when it is answered.
		if !o.writing {
			c.dropLocked(o, stats.TooOld, nil, &effects)
		}
	}
	return effects, now.Add(timing.RetryFor)
}

// Flush makes f wait for every pending occurrence. It does not make any occurrence due, because the
// writer already has the occurrence at the head of each queue, and gets the others in turn.
func (c *Core) Flush(_ time.Time, f *series.Flush) (effects series.Effects) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f.Add(int64(c.waiting.Len()))
	for e := c.waiting.Front(); e != nil; e = e.Next() {
		o := e.Value.(*occurrence)
		// Forget cancelled flushes, so that they do not accumulate if calls of Flush time out again
		// and again.
		o.flushes = append(slices.DeleteFunc(o.flushes, (*series.Flush).Cancelled), f)
	}
	return effects
}

// Close implements [series.Core].
func (c *Core) Close(reason stats.Reason) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = reason
}

// Abandon drops every pending occurrence and returns them. An occurrence whose write is in flight
// counts as unconfirmed, because the sink might have stored it although the call of the sink has
// not returned.
func (c *Core) Abandon() []series.Dropped {
	c.mu.Lock()
	defer c.mu.Unlock()
	var effects series.Effects
	for e := c.waiting.Front(); e != nil; e = c.waiting.Front() {
		o := e.Value.(*occurrence)
		o.maybeThere = o.maybeThere || o.writing
		c.dropLocked(o, stats.Abandoned, nil, &effects)
	}
	return effects.Dropped
}

// Drop implements [series.Core].
func (c *Core) Drop(labels stats.MetricLabels, reason stats.Reason) stats.Reason {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed == stats.Stopped {
		reason = stats.Stopped
	}
	c.accounts.Of(labels).Drop(reason, 1)
	return reason
}

// SelectBy implements [series.Core].
func (c *Core) SelectBy(s *selector.Selector) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.selector = s
}

// Snapshot implements [series.Core]. Its Series is the number of objects with pending occurrences.
func (c *Core) Snapshot() series.Snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := series.Snapshot{Balances: stats.Balances{}, Series: len(c.queues)}
	for e := c.waiting.Front(); e != nil; e = e.Next() {
		o := e.Value.(*occurrence)
		o.account.Pending++
		if e == c.waiting.Front() {
			now.OldestPending = o.at
		}
	}
	c.accounts.AddTo(now.Balances)
	return now
}

// PendingIn implements [series.Core].
func (c *Core) PendingIn(namespace string) (n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for e := c.waiting.Front(); e != nil; e = e.Next() {
		if e.Value.(*occurrence).Namespace() == namespace {
			n++
		}
	}
	return n
}

// List returns, as waiting, the first pending occurrence of each of the n objects that have waited
// longest. The first result, for the most frequent items, is always empty, because only client-go's
// correlator knows how often something occurred.
func (c *Core) List(n int, _ time.Time) (_, waiting []series.State) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for e := c.waiting.Front(); e != nil && len(waiting) < n; e = e.Next() {
		o := e.Value.(*occurrence)
		if queue := o.queue.waiting; queue[0] == o {
			waiting = append(waiting, o.state(int64(len(queue))))
		}
	}
	return nil, waiting
}
