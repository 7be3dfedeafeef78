// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"math"
	"slices"
	"sync/atomic"
	"time"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/selector"
	"github.com/eventseries/eventseries/internal/stats"
)

// numShards is well above the cores that record at a time.
const (
	shardBits = 4
	numShards = 1 << shardBits
)

// Cache holds the series of one broadcaster. It is safe for concurrent use and
// never calls out while it holds a lock.
type Cache struct {
	iv       Intervals
	epoch    time.Time // of all moments
	budget   *Budget
	shards   [numShards]*shard
	size     atomic.Int64 // of the slots of budget
	arrivals atomic.Int64

	sleep atomic.Int64 // how long the timer sleeps, a time.Duration
	poke  chan struct{}
	swept atomic.Int64 // the moment at which idle series were written early the last time
	names *generations // nil without continuity
}

// Result says what became of an occurrence.
type Result struct {
	Missing bool          // it has no series yet: call Insert
	Dropped stats.Reason  // why it was dropped; None if it was not
	LeftOut bool          // annotations were left out, as they are too large
	Folded  bool          // Series is the overflow series of its object
	limited bool          // with Missing: the overflow series is missing, too
	former  *Series       // with Missing: the finished or superseded series of the same key, if it is still there
	Series  Item          // what it counts in; nil for none
	Count   int64         // of the occurrences of Series, with this one
	Enqueue request.Class // hand Series to the writer with this class, unless NoWrite
	wake    moment        // the deadline of the series, if that is earlier now
}

// NewCache returns an empty cache that takes its slots from b until it is abandoned. now
// is the time by the clock that all later times are of.
func (b *Budget) NewCache(iv Intervals, now time.Time) *Cache {
	c := &Cache{iv: iv, epoch: now, budget: b, poke: make(chan struct{}, 1)}
	labels := &stats.LabelSets{}
	for i := range c.shards {
		c.shards[i] = newShard(now, &b.annotationBytes, labels)
	}
	c.sleep.Store(math.MaxInt64)
	b.join(c)
	return c
}

// Continue makes series survive the process, see [generations]. It is called before the first
// occurrence. Series that notes tell apart do not: the names do not depend on notes.
func (c *Cache) Continue() { c.names = newGenerations() }

// SelectBy drops as Muted what a selector does not select, from now on. Nil selects all.
func (c *Cache) SelectBy(s *selector.Selector) {
	for _, sh := range c.shards {
		sh.selectBy(s)
	}
}

// Observe adds an occurrence to its series. If there is none, Result.Missing asks the
// caller to complete the occurrence and to call Insert.
func (c *Cache) Observe(o *Occurrence) Result {
	var buf [keyBuffer]byte
	key := o.packKey(buf[:0])
	sh := c.shard(o)
	sh.mu.Lock()
	r := sh.observe(key, o, &c.iv)
	sh.mu.Unlock()
	c.wakeTimer(r.wake, o.At)
	return r
}

// Insert adds a series for a first occurrence. What it drops is of another series, which
// was evicted for this one.
func (c *Cache) Insert(o *Occurrence) (r Result, effects Effects) {
	r, effects.Dropped = c.insert(o)
	if !r.limited {
		return r, effects
	}
	over := o.overflow()
	over.Note = c.shard(o).limit.overflowNote(o)
	r, more := c.insert(over)
	effects.Dropped = append(effects.Dropped, more...)
	return r, effects
}

func (c *Cache) insert(o *Occurrence) (r Result, dropped []Dropped) {
	ok, dropped := c.reserve(o.At, o.Type != normalType)
	var buf [2 * keyBuffer]byte // the rest follows
	key := o.packKey(buf[:0])
	sh := c.shard(o)
	if !ok {
		return sh.insertFull(key, o, &c.iv), dropped
	}
	s := newSeries(key, o)
	s.arrival, s.account = c.arrivals.Add(1), &sh.newcomer
	leftOut := s.annotate(o.Annotations)
	if c.names != nil && o.DistinctNotes == 0 {
		s.continueIn(c.names, o)
	}
	sh.mu.Lock()
	r, used := sh.insert(key, s, o, &c.iv)
	sh.mu.Unlock()
	if !used {
		c.budget.release(c, 1)
	}
	if r.Series == s {
		r.LeftOut = leftOut
	} else {
		s.releaseBytes() // another caller was faster
	}
	c.wakeTimer(r.wake, o.At)
	return r, dropped
}

// Drop counts an occurrence that belongs to no series.
func (c *Cache) Drop(o *Occurrence, reason stats.Reason) stats.Reason {
	sh := c.shard(o)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.closed {
		reason = stats.Stopped
	}
	sh.account(o).Drop(reason, 1)
	return reason
}

// Begin builds a write under the lock, so that it has the latest state. It is sent
// without the lock.
func (c *Cache) Begin(item Item, _ time.Time) (w *Write, _ Effects) {
	s := item.(*Series)
	sh := s.account.Owner
	sh.mu.Lock()
	defer sh.mu.Unlock()
	s.queued = false
	if s.Gone() || s.inFlight || s.unwritten() == 0 {
		return nil, Effects{}
	}
	return s.begin(), Effects{}
}

// Settle changes the state of a series by the answer to w.
func (c *Cache) Settle(
	item Item, w *Write, v request.Verdict, stored *eventsv1.Event, now time.Time,
) (next request.Class, effects Effects) {
	s := item.(*Series)
	sh := s.account.Owner
	sh.mu.Lock()
	s.end(w)
	if s.Gone() { // Abandon has dropped it meanwhile
		sh.mu.Unlock()
		return request.NoWrite, effects
	}
	effects.Dropped = sh.settle(s, w, v, stored, now)
	sh.finishFlushes(s) // a Flush that is finished forces nothing
	next = sh.queueIfDue(s, sh.moment(now), &c.iv)
	wake := sh.reindex(s, &c.iv)
	sh.mu.Unlock()
	c.wakeTimer(wake, now)
	return next, effects
}

// RefuseQueued refuses a series that waits for its Create.
func (c *Cache) RefuseQueued(item Item, reason stats.Reason, now time.Time) Effects {
	s := item.(*Series)
	sh := s.account.Owner
	sh.mu.Lock()
	s.queued = false
	if s.Gone() {
		sh.mu.Unlock()
		return Effects{}
	}
	dropped := sh.refuse(s, reason, now)
	wake := sh.reindex(s, &c.iv)
	sh.mu.Unlock()
	c.wakeTimer(wake, now)
	return Effects{Dropped: dropped}
}

// Expire looks at all deadlines that have come. What it drops is too old.
func (c *Cache) Expire(now time.Time) (effects Effects, next time.Time) {
	// Until the new sleep is known, every earlier deadline pokes.
	c.sleep.Store(math.MaxInt64)
	at := momentOf(now, c.epoch)
	var first moment
	for _, sh := range c.shards {
		sh.mu.Lock()
		newDue, newDropped, removed := sh.expire(at, &c.iv)
		if len(sh.timers) > 0 && (first.IsZero() || sh.timers[0].wake.Before(first)) {
			first = sh.timers[0].wake
		}
		sh.mu.Unlock()
		effects.Due, effects.Dropped = append(effects.Due, newDue...), append(effects.Dropped, newDropped...)
		c.budget.release(c, removed)
	}
	effects.Due = append(effects.Due, c.sweep(at)...)
	if c.nearlyFull() {
		if sweep := at.Add(idleBeforeEviction); first.IsZero() || sweep.Before(first) {
			first = sweep
		}
	}
	if first.IsZero() {
		return effects, time.Time{}
	}
	sleep := first.Sub(at)
	c.sleep.Store(int64(sleep))
	return effects, now.Add(sleep)
}

// PokeInto implements [Core].
func (c *Cache) PokeInto(ch chan struct{}) { c.poke = ch }

func (c *Cache) pokeTimer() {
	select {
	case c.poke <- struct{}{}:
	default:
	}
}

// wakeTimer pokes if the time from now to at is shorter than the whole sleep of the
// timer. How much of that is left is unknown, since a clock may have been set. A
// wake-up in vain makes the next sleep shorter.
func (c *Cache) wakeTimer(at moment, now time.Time) {
	if at.IsZero() || int64(at.Sub(momentOf(now, c.epoch))) >= c.sleep.Load() {
		return
	}
	c.pokeTimer()
}

// Flush makes every unwritten series due now.
func (c *Cache) Flush(now time.Time, f *Flush) (effects Effects) {
	for _, sh := range c.shards {
		effects.Due = append(effects.Due, sh.flush(f, sh.moment(now), &c.iv)...)
	}
	return effects
}

// Forget removes what is left of f, so that flushes which time out while a
// server is down leave nothing behind.
func (c *Cache) Forget(f *Flush) {
	for _, sh := range c.shards {
		sh.mu.Lock()
		for s, targets := range sh.flushes {
			sh.setFlushes(s, slices.DeleteFunc(targets, func(t flushTarget) bool { return t.flush == f }))
		}
		sh.mu.Unlock()
	}
}

// Close makes every later occurrence count as Stopped.
func (c *Cache) Close() {
	for _, sh := range c.shards {
		sh.mu.Lock()
		sh.closed = true
		sh.mu.Unlock()
	}
}

// Abandon drops everything unwritten, in flight or not, and empties the cache.
// Later answers change nothing.
func (c *Cache) Abandon() (dropped []Dropped, unconfirmed int64) {
	for _, sh := range c.shards {
		sh.mu.Lock()
		for _, s := range sh.timers {
			dropped = append(dropped, sh.drop(s, stats.Abandoned)...)
		}
		c.budget.release(c, sh.clear())
		sh.mu.Unlock()
	}
	c.budget.leave(c)
	for _, d := range dropped {
		unconfirmed += d.Unconfirmed
	}
	return dropped, unconfirmed
}

// shard returns the shard of an occurrence. It depends on the object alone: different
// objects rarely share a lock, and what is about one object is together. The hash has
// no random seed, so that a simulated run can be repeated. Whoever makes objects
// collide gains no more than a shared lock.
func (c *Cache) shard(o *Occurrence) *shard {
	name := string(o.Regarding.UID)
	if name == "" {
		name = o.Regarding.Name
	}
	return c.shards[shardIndex(name)]
}

// shardIndex hashes the last eight bytes of a name: that is where UIDs and
// generated names differ. Each bit of the tail reaches the product's upper bits.
func shardIndex(name string) uint64 {
	var tail uint64
	if n := len(name) - 8; n >= 0 {
		t := name[n:]
		tail = uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24 |
			uint64(t[4])<<32 | uint64(t[5])<<40 | uint64(t[6])<<48 | uint64(t[7])<<56 // one load
	} else {
		for i := range len(name) {
			tail = tail<<8 | uint64(name[i])
		}
	}
	return tail * fibonacci >> (64 - shardBits)
}

// fibonacci is 2^64 over the golden ratio: its multiples are spread evenly (Knuth,
// volume 3, section 6.4).
const fibonacci = 0x9E3779B97F4A7C15

// Flush waits until everything that was unwritten when it was made is recorded or
// dropped. Flush of a [Core] makes it.
type Flush struct {
	remaining atomic.Int64
	finished  chan struct{}
}

// NewFlush returns a Flush that waits for one item: its maker, so that it cannot finish early.
func NewFlush() *Flush {
	f := &Flush{finished: make(chan struct{})}
	f.remaining.Store(1)
	return f
}

// Add makes f wait for n more items, or for one less.
func (f *Flush) Add(n int64) {
	if f.remaining.Add(n) == 0 {
		close(f.finished)
	}
}

// Done is closed when everything is recorded or dropped.
func (f *Flush) Done() <-chan struct{} { return f.finished }

// Remaining is the number of items that it still waits for.
func (f *Flush) Remaining() int64 { return f.remaining.Load() }

// flushTarget is what a Flush waits for in one series.
type flushTarget struct {
	observed int64 // so many occurrences recorded or dropped
	flush    *Flush
}
