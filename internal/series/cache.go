// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"math"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"github.com/eventseries/eventseries/internal/selector"
	"github.com/eventseries/eventseries/internal/stats"
)

// numShards is a power of two. With 16 shards few of the cores that record at the same time meet.
const (
	shardBits = 4
	numShards = 1 << shardBits
)

// Cache holds the series of one broadcaster. It is safe for concurrent use and
// never calls out while it holds a lock.
type Cache struct {
	iv    Intervals
	epoch time.Time
	// max bounds the number of series.
	max         int64
	objectLimit int
	// shares is nil unless counts are shared.
	shares *shareRegistry
	// publishing is nil for no limit.
	publishing *rate.Limiter
	lifetime   *lifetime
	selector   atomic.Pointer[selector.Selector]
	shards     [numShards]*shard

	// size counts the slots that are taken. It exceeds max only while reserve looks at it.
	size     atomic.Int64
	arrivals atomic.Int64

	// sleep is how long the timer sleeps, a time.Duration.
	sleep atomic.Int64
	poke  chan struct{}
}

// NewCache returns an empty cache of at most maxSeries series. All later times must come from the clock
// that has shown now.
func NewCache(iv Intervals, maxSeries int, now time.Time) *Cache {
	c := &Cache{
		iv:          iv,
		epoch:       now,
		max:         int64(maxSeries),
		objectLimit: math.MaxInt,
		lifetime:    newLifetime(),
		poke:        make(chan struct{}, 1),
	}
	labels := &stats.LabelSets{}
	for i := range c.shards {
		c.shards[i] = newShard(c, labels)
	}
	c.sleep.Store(math.MaxInt64)
	return c
}

// ShareCounts makes series count in the Events of other processes, and of their own process before a
// restart. It must be called before anything is observed. A series with a note of its own (see
// [Occurrence.DistinctNotes]) shares nothing, because the name of its Event would not depend on the note.
func (c *Cache) ShareCounts() { c.shares = newShareRegistry() }

// SelectBy drops as Unselected what a selector does not select, from now on. Nil selects all.
// Pending occurrences are written nevertheless.
func (c *Cache) SelectBy(s *selector.Selector) { c.selector.Store(s) }

// Count adds an occurrence to its series, or drops it. It reports false, and does nothing, if the
// occurrence needs a new series. Then the caller completes the occurrence, with a note and a name, and
// calls Insert.
func (c *Cache) Count(o *Occurrence, key PackedKey) (r Result, counted bool) {
	sh := c.shardOf(o)
	sh.mu.Lock()
	r, counted = sh.count(o, key)
	sh.mu.Unlock() // without defer, which costs each repeated occurrence 2 %
	return r, counted
}

// Insert makes a series that begins with an occurrence, which must be complete. If another caller has
// made that series since Count, the occurrence counts there.
func (c *Cache) Insert(o *Occurrence, key PackedKey) Result {
	reserved, evicted := c.reserve(o.At, o.Type != normalType)
	sh := c.shardOf(o)
	sh.mu.Lock()
	unused := reserved
	r, counted := sh.count(o, key)
	switch {
	case counted:
	case reserved:
		r, unused = sh.insert(o, key)
	default:
		r = sh.dropped(o, stats.CacheFull)
	}
	sh.mu.Unlock()
	if unused {
		c.size.Add(-1)
	}
	r.Effects.Dropped = evicted
	return r
}

// Drop counts an occurrence that belongs to no series. All shards together have the
// accounts, so any of them will do.
func (c *Cache) Drop(labels stats.MetricLabels, reason stats.Reason) stats.Reason {
	sh := c.shards[0]
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.closed == stats.Stopped {
		reason = stats.Stopped
	}
	sh.accounts.Of(labels).Drop(reason, 1)
	return reason
}

// Expire implements [Core]. The occurrences that it drops are too old.
func (c *Cache) Expire(now time.Time) (effects Effects, next time.Time) {
	// Until the new sleep is known, every new deadline pokes.
	c.sleep.Store(math.MaxInt64)
	at := monotimeOf(now, c.epoch)
	var first monotime
	for _, sh := range c.shards {
		sh.mu.Lock()
		more, removed := sh.expire(at)
		if all := sh.timers.Items; len(all) > 0 && (first.IsZero() || all[0].wake.Before(first)) {
			first = all[0].wake
		}
		sh.mu.Unlock()
		effects.Due = append(effects.Due, more.Due...)
		effects.Dropped = append(effects.Dropped, more.Dropped...)
		c.size.Add(int64(-removed))
	}
	if first.IsZero() {
		return effects, time.Time{}
	}
	sleep := first.Sub(at)
	c.sleep.Store(int64(sleep))
	return effects, now.Add(sleep)
}

// Poked receives when a deadline became earlier, and Expire must be called again.
func (c *Cache) Poked() <-chan struct{} { return c.poke }

// wakeTimer pokes if the time from now to at is shorter than the whole sleep of the timer, which the
// caller of Expire has. How much of the sleep is left is not known here, because its clock may run
// differently. A wake-up in vain makes the next sleep shorter.
func (c *Cache) wakeTimer(at, now monotime) {
	if int64(at.Sub(now)) >= c.sleep.Load() {
		return
	}
	c.Poke()
}

// Poke makes whoever receives from Poked look at the deadlines.
func (c *Cache) Poke() {
	select {
	case c.poke <- struct{}{}:
	default:
	}
}

// Flush implements [Core].
func (c *Cache) Flush(now time.Time, f *Flush) (effects Effects) {
	for _, sh := range c.shards {
		effects.Due = append(effects.Due, sh.flush(f, sh.monotime(now))...)
	}
	return effects
}

// Close implements [Core].
func (c *Cache) Close(reason stats.Reason) {
	for _, sh := range c.shards {
		sh.mu.Lock()
		sh.closed = reason
		sh.mu.Unlock()
	}
}

// Abandon implements [Core], and empties the cache.
func (c *Cache) Abandon() (dropped []Dropped) {
	for _, sh := range c.shards {
		sh.mu.Lock()
		for _, e := range sh.all() {
			dropped = append(dropped, sh.drop(e, stats.Abandoned)...)
		}
		c.size.Add(int64(-sh.clear()))
		sh.mu.Unlock()
	}
	return dropped
}
