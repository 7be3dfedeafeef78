// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package correlator

import (
	"container/list"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/options"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/selector"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
)

const (
	// maxWeight is 16 MiB, and 16 times client-go's bound.
	maxWeight Bound = 16384
	// retryFor is how long an occurrence may stay unwritten: with the default
	// --event-ttl the server would have forgotten the Event by then.
	retryFor = time.Hour
)

// Bound is how much may wait: each occurrence weighs one and one more for each KiB.
type Bound int

// Core decides what a broadcaster writes: each occurrence what client-go's correlator says
// about it, in the order of its object.
//
//	Observe ─▶ queue of the object ──(its first one)──▶ writer ──▶ Begin: correlate ──▶ sink
//	                 ▲                                                                   │
//	                 └────────────────── Settle: gone, or tried again ◀──────────────────┘
type Core struct {
	options   record.CorrelatorOptions
	maxWeight Bound

	mu       sync.Mutex // guards the rest
	closed   bool       // accepts nothing more
	selector *selector.Selector
	sinks    []*sink
	queues   map[objectKey]*list.List // of *occurrence, by object; none is empty
	normals  *list.List               // all of the type Normal, the oldest first
	warnings *list.List
	weight   int    // of all occurrences; maxWeight bounds it
	number   uint64 // of the last occurrence
	flushes  []flush
	accounts stats.Accounts[*Core]
	poke     chan struct{}
}

// flush waits for what was recorded up to a number.
type flush struct {
	*series.Flush
	upTo uint64
}

// New returns a core without sinks. Among opts are [record.CorrelatorOptions]. Without a clock
// in these the correlator has clk.
func New(opts []options.Option, clk clock.PassiveClock) *Core {
	c := &Core{
		queues:  map[objectKey]*list.List{},
		normals: list.New(), warnings: list.New(), maxWeight: maxWeight, poke: make(chan struct{}, 1),
	}
	options.Apply(opts, &c.options, &c.maxWeight)
	if c.options.Clock == nil {
		c.options.Clock = &uniqueClock{PassiveClock: clk}
	}
	c.accounts = stats.NewAccounts(c, &stats.LabelSets{})
	return c
}

// Tuned reports whether the correlator is not client-go's default.
func (c *Core) Tuned() bool {
	o := &c.options
	return o.LRUCacheSize+o.BurstSize+o.MaxEvents+o.MaxIntervalInSeconds != 0 || o.QPS != 0 ||
		o.KeyFunc != nil || o.MessageFunc != nil || o.SpamKeyFunc != nil
}

// Observe adds an occurrence for each sink.
func (c *Core) Observe(o *series.Occurrence, _ series.PackedKey) (r series.Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed:
		r.Dropped = stats.Stopped
	case !o.SelectedBy(c.selector):
		r.Dropped = stats.Muted
	case len(c.sinks) == 0:
		r.Dropped = stats.Filtered
	}
	if r.Dropped != stats.None {
		c.accounts.Of(o.Account()).Drop(r.Dropped, 1)
		return r
	}
	single := series.NewSingle(o)
	if len(c.queues) == 0 { // Expire did not know when to be called again
		select {
		case c.poke <- struct{}{}:
		default:
		}
	}
	for _, s := range c.sinks {
		r.Dropped = c.addLocked(s, single, o, &r.Effects)
	}
	return r
}

func (c *Core) addLocked(s *sink, single *series.Series, o *series.Occurrence, effects *series.Effects) stats.Reason {
	account, weight := c.accounts.Of(o.Account()), 1+single.Bytes()/1024
	warning := o.Type == corev1.EventTypeWarning
	if over := c.weight + weight - int(c.maxWeight); over > 0 && !(warning && c.evictLocked(over, effects)) {
		account.Drop(stats.QueueFull, 1)
		return stats.QueueFull
	}
	account.Observed++
	c.number++
	c.weight += weight
	added := &occurrence{
		Series: single, number: c.number, at: o.At, first: request.First(warning), weight: weight, account: account,
		key: s.keyOf(o),
	}
	age := c.normals
	if warning {
		age = c.warnings
	}
	queue := c.queues[added.key]
	if queue == nil {
		queue = list.New()
		c.queues[added.key] = queue
	}
	added.inQueue, added.inAge = queue.PushBack(added), age.PushBack(added)
	c.enqueueFirstLocked(queue, effects)
	return stats.None
}

// evictLocked drops the oldest Normals that were not correlated, for a Warning. Any other
// is counted by the correlator, in later counts too.
func (c *Core) evictLocked(over int, effects *series.Effects) bool {
	var victims []*occurrence
	for e := c.normals.Front(); e != nil && over > 0; e = e.Next() {
		if o := e.Value.(*occurrence); !o.writing && o.write == nil {
			victims = append(victims, o)
			over -= o.weight
		}
	}
	if over > 0 {
		return false
	}
	for _, o := range victims {
		c.dropLocked(o, stats.QueueFull, effects)
	}
	return true
}

// enqueueFirstLocked makes the first occurrence of a queue due.
func (c *Core) enqueueFirstLocked(queue *list.List, effects *series.Effects) {
	if e := queue.Front(); e != nil && !e.Value.(*occurrence).queued {
		o := e.Value.(*occurrence)
		o.queued = true
		effects.Due = append(effects.Due, series.Due{Item: o, Class: o.class()})
	}
}

// Begin asks the correlator about an occurrence, once: it counts.
func (c *Core) Begin(item series.Item, _ time.Time) (w *series.Write, effects series.Effects) {
	o := item.(*occurrence)
	c.mu.Lock()
	defer c.mu.Unlock()
	if o.inQueue == nil {
		return nil, effects
	}
	o.writing = true // so that nobody else has it
	if o.write == nil {
		c.mu.Unlock()
		write, reason, err := o.key.sink.correlate(o)
		c.mu.Lock()
		if o.write = write; write == nil && o.inQueue != nil {
			c.dropLocked(o, reason, &effects)
			effects.Dropped[len(effects.Dropped)-1].Err = err
			return nil, effects
		}
	}
	if o.inQueue == nil {
		return nil, effects
	}
	o.write.Attempt++
	return o.write, effects
}

// Settle counts o as recorded or dropped, or prepares the next attempt, which sends the
// same: the name and the count in it are absolute.
func (c *Core) Settle(
	item series.Item, w *series.Write, v request.Verdict, stored *eventsv1.Event, now time.Time,
) (next request.Class, effects series.Effects) {
	o := item.(*occurrence)
	if stored != nil && v.Action == request.Stored {
		o.key.sink.learn(stored)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if o.writing = false; o.inQueue == nil { // Abandon has dropped it meanwhile
		return request.NoWrite, effects
	}
	switch v.Action {
	case request.Stored:
		o.account.Recorded++
		if w.Op == request.Create {
			o.account.Creates++
		} else {
			o.account.Patches++
		}
		c.removeLocked(o, &effects)
		return request.NoWrite, effects
	case request.Drop:
		c.refuseLocked(o, v, &effects)
		return request.NoWrite, effects
	}
	o.account.Retries++
	o.maybeThere = o.maybeThere || v.Ambiguous
	switch {
	case v.Action == request.Recreate:
		w.Op, w.Event.ResourceVersion = request.Create, "" // the server refuses one on creation
	case v.Exists:
		w.Op = request.Patch
	}
	w.Recreates = !o.maybeThere && w.Patch != nil
	if now.Sub(o.at) > retryFor {
		c.dropLocked(o, stats.TooOld, &effects)
		return request.NoWrite, effects
	}
	return o.class(), effects
}

// refuseLocked drops o. That a namespace is being deleted is true of all that was recorded
// for it by then.
func (c *Core) refuseLocked(o *occurrence, v request.Verdict, effects *series.Effects) {
	queue := c.queues[o.key]
	for e := queue.Back(); v.Gate == request.Creates && e != o.inQueue; {
		later := e.Value.(*occurrence)
		e = e.Prev()
		c.dropLocked(later, v.Reason, effects)
	}
	c.dropLocked(o, v.Reason, effects)
}

// RefuseQueued drops an occurrence that waits for its Create, and those behind it.
func (c *Core) RefuseQueued(item series.Item, reason stats.Reason, _ time.Time) (effects series.Effects) {
	o := item.(*occurrence)
	c.mu.Lock()
	defer c.mu.Unlock()
	if o.inQueue != nil {
		c.refuseLocked(o, request.Verdict{Gate: request.Creates, Reason: reason}, &effects)
	}
	return effects
}

// Expire drops what is too old.
func (c *Core) Expire(now time.Time) (effects series.Effects, next time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, age := range []*list.List{c.normals, c.warnings} {
		for e := age.Front(); e != nil; {
			o := e.Value.(*occurrence)
			at := o.at.Add(retryFor)
			if now.Before(at) {
				if next.IsZero() || at.Before(next) {
					next = at
				}
				break
			}
			if e = e.Next(); !o.writing { // else its answer looks again
				c.dropLocked(o, stats.TooOld, &effects)
			}
		}
	}
	return effects, next
}

// PokeInto implements [series.Core].
func (c *Core) PokeInto(ch chan struct{}) { c.poke = ch }

func (c *Core) dropLocked(o *occurrence, reason stats.Reason, effects *series.Effects) {
	d := series.Dropped{Item: o, Reason: reason, Occurrences: 1}
	if o.maybeThere {
		d.Unconfirmed = 1
	}
	o.account.Dropped[reason]++
	o.account.Unconfirmed += d.Unconfirmed
	effects.Dropped = append(effects.Dropped, d)
	c.removeLocked(o, effects)
}

// removeLocked removes o, and makes the next one of its object due.
func (c *Core) removeLocked(o *occurrence, effects *series.Effects) {
	queue := c.queues[o.key]
	queue.Remove(o.inQueue)
	if queue.Len() == 0 {
		delete(c.queues, o.key)
	}
	for _, age := range []*list.List{c.normals, c.warnings} {
		age.Remove(o.inAge) // from the one that has it
	}
	o.inQueue = nil
	o.gone.Store(true)
	c.weight -= o.weight
	for _, f := range c.flushes {
		if o.number <= f.upTo {
			f.Add(-1)
		}
	}
	c.enqueueFirstLocked(queue, effects)
}

// Flush waits for what is there. It is due already.
func (c *Core) Flush(_ time.Time, f *series.Flush) (effects series.Effects) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f.Add(int64(c.normals.Len() + c.warnings.Len()))
	c.flushes = slices.DeleteFunc(c.flushes, func(f flush) bool { return f.Remaining() == 0 })
	c.flushes = append(c.flushes, flush{f, c.number})
	return effects
}

// Forget stops the wait.
func (c *Core) Forget(f *series.Flush) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.flushes = slices.DeleteFunc(c.flushes, func(other flush) bool { return other.Flush == f })
}

// Close implements [series.Core].
func (c *Core) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
}

// Abandon drops everything.
func (c *Core) Abandon() []series.Dropped {
	c.mu.Lock()
	defer c.mu.Unlock()
	var effects series.Effects
	for _, age := range []*list.List{c.normals, c.warnings} {
		for e := age.Front(); e != nil; e = age.Front() {
			o := e.Value.(*occurrence)
			o.maybeThere = o.maybeThere || o.writing // a sink that does not return may have stored it
			c.dropLocked(o, stats.Abandoned, &effects)
		}
	}
	return effects.Dropped
}

// Drop implements [series.Core].
func (c *Core) Drop(labels stats.Labels, reason stats.Reason) stats.Reason {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
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
