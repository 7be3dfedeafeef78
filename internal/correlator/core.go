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

// maxWeight is the default of what may wait: 16 MiB, and 16 times client-go's bound. Each
// occurrence weighs one, and one more for each KiB. Normals leave a quarter of it to Warnings.
const maxWeight = 16384

// Core decides what a broadcaster writes: each occurrence what client-go's correlator says
// about it, in the order of its object.
//
//	Observe ─▶ queue of the object ──(its first one)──▶ writer ──▶ Begin: correlate ──▶ sink
//	                 ▲                                                                   │
//	                 └────────────────── Settle: gone, or tried again ◀──────────────────┘
type Core struct {
	options   record.CorrelatorOptions
	maxWeight int

	mu       sync.Mutex   // guards the rest
	closed   stats.Reason // every occurrence is dropped for it, unless it is None
	selector *selector.Selector
	sinks    []*sink
	waiting  *list.List           // of *occurrence, all of them, the oldest first
	queues   map[objectKey]*queue // the same by object; none is empty
	weight   int                  // of all occurrences
	accounts stats.Accounts[*Core]
}

// New returns a core without sinks. Options without a clock have clk. At most size may wait, or as
// much as by default if size is 0.
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

// Observe adds an occurrence for each sink.
func (c *Core) Observe(o *series.Occurrence) (r series.Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed != stats.None:
		r.Dropped = c.closed
	case !o.SelectedBy(c.selector):
		r.Dropped = stats.Muted
	case len(c.sinks) == 0:
		r.Dropped = stats.Filtered
	}
	account := c.accounts.Of(o.Account())
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

func (c *Core) queueLocked(key objectKey) *queue {
	q := c.queues[key]
	if q == nil {
		q = &queue{objectKey: key}
		c.queues[key] = q
	}
	return q
}

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

// removeLocked removes o. If it was the first of its queue, the next one is due.
func (c *Core) removeLocked(o *occurrence, effects *series.Effects) {
	q := o.queue
	i := slices.Index(q.waiting, o) // most often the first one
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

// Expire drops what is too old. What is added later is not too old before next.
func (c *Core) Expire(now time.Time) (effects series.Effects, next time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for e := c.waiting.Front(); e != nil; {
		o := e.Value.(*occurrence)
		if at := o.tooOldAt(); now.Before(at) {
			return effects, at
		}
		e = e.Next()
		if !o.writing { // else the answer to a write looks again
			c.dropLocked(o, stats.TooOld, nil, &effects)
		}
	}
	return effects, now.Add(timing.RetryFor)
}

// Flush waits for what is there. It is due already.
func (c *Core) Flush(_ time.Time, f *series.Flush) (effects series.Effects) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f.Add(int64(c.waiting.Len()))
	for e := c.waiting.Front(); e != nil; e = e.Next() {
		o := e.Value.(*occurrence)
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

// Abandon drops everything.
func (c *Core) Abandon() []series.Dropped {
	c.mu.Lock()
	defer c.mu.Unlock()
	var effects series.Effects
	for e := c.waiting.Front(); e != nil; e = c.waiting.Front() {
		o := e.Value.(*occurrence)
		o.maybeThere = o.maybeThere || o.writing // a sink that does not return may have stored it
		c.dropLocked(o, stats.Abandoned, nil, &effects)
	}
	return effects.Dropped
}

// Drop implements [series.Core].
func (c *Core) Drop(labels stats.Labels, reason stats.Reason) stats.Reason {
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

// Snapshot implements [series.Core]. Series is how many objects something waits for.
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

// List returns the first occurrences of the n objects that wait longest. How often
// something occurred only the correlator knows.
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
