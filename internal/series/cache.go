// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"math"
	"slices"
	"sync/atomic"
	"time"

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
	iv         Intervals
	epoch      time.Time // of all moments
	budget     *Budget
	names      *generations  // nil without continuity
	publishing *publishLimit // nil for none
	shards     [numShards]*shard

	size     atomic.Int64 // of the slots of budget
	arrivals atomic.Int64

	sleep atomic.Int64 // how long the timer sleeps, a time.Duration
	poke  chan struct{}
	swept atomic.Int64 // the moment at which idle series were written early the last time
}

// NewCache returns an empty cache that takes its slots from b until it is abandoned. now
// is the time by the clock that all later times are of.
func (b *Budget) NewCache(iv Intervals, now time.Time) *Cache {
	c := &Cache{iv: iv, epoch: now, budget: b, poke: make(chan struct{}, 1)}
	labels := &stats.LabelSets{}
	for i := range c.shards {
		c.shards[i] = newShard(c, labels)
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

// Drop counts an occurrence that belongs to no series. All shards together have the
// accounts, so any of them will do.
func (c *Cache) Drop(labels stats.Labels, reason stats.Reason) stats.Reason {
	sh := c.shards[0]
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.takesNone == stats.Stopped {
		reason = stats.Stopped
	}
	sh.accounts.Of(labels).Drop(reason, 1)
	return reason
}

// Expire looks at all deadlines that have come. What it drops is too old.
func (c *Cache) Expire(now time.Time) (effects Effects, next time.Time) {
	// Until the new sleep is known, every earlier deadline pokes.
	c.sleep.Store(math.MaxInt64)
	at := momentOf(now, c.epoch)
	var first moment
	for _, sh := range c.shards {
		sh.mu.Lock()
		newDue, newDropped, removed := sh.expire(at)
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
		effects.Due = append(effects.Due, sh.flush(f, sh.moment(now))...)
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
func (c *Cache) Close() { c.TakeNone(stats.Stopped) }

// TakeNone drops every later occurrence for a reason.
func (c *Cache) TakeNone(reason stats.Reason) {
	for _, sh := range c.shards {
		sh.mu.Lock()
		sh.takesNone = reason
		sh.mu.Unlock()
	}
}

// Abandon drops everything unwritten, in flight or not, and empties the cache.
// Later answers change nothing.
func (c *Cache) Abandon() (dropped []Dropped) {
	for _, sh := range c.shards {
		sh.mu.Lock()
		for _, s := range sh.timers {
			dropped = append(dropped, sh.drop(s, stats.Abandoned)...)
		}
		c.budget.release(c, sh.clear())
		sh.mu.Unlock()
	}
	c.budget.leave(c)
	return dropped
}

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
