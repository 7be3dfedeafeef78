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

// numShards is the number of shards of a cache. It is a power of two, because shardBits bits of a
// hash choose the shard. With 16 shards, CPU cores that record at the same time rarely need the
// same shard.
const (
	shardBits = 4
	numShards = 1 << shardBits
)

// Cache holds the series of one broadcaster. It is safe for concurrent use. It calls no code of its
// callers while it holds a lock.
type Cache struct {
	iv    Intervals
	epoch time.Time
	// max is the maximum number of series.
	max         int64
	objectLimit int
	// shares is nil unless ShareCounts was called.
	shares *shareRegistry
	// publishing limits the writes that are due only because a count has doubled. It is nil if
	// there is no limit; see LimitPublishing.
	publishing *rate.Limiter
	lifetime   *lifetime
	selector   atomic.Pointer[selector.Selector]
	shards     [numShards]*shard

	// size is the number of series that are in the cache or for which reserve has taken a slot. It
	// exceeds max only for a moment, in reserve.
	size     atomic.Int64
	arrivals atomic.Int64

	// sleep is a time.Duration: the full length of the timer's current sleep, after which it calls
	// Expire again.
	sleep atomic.Int64
	poke  chan struct{}
}

// NewCache returns an empty cache for at most maxSeries series. All times passed to its methods
// must come from the same clock as now.
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

// ShareCounts makes the series of several processes count in the same Event if their keys differ
// only in the reporting instance. A process that restarts goes on counting in the Event from before
// the restart. ShareCounts must be called before anything is observed. A series that has its own
// note (see [Occurrence.DistinctNotes]) is not shared, because the name of a shared Event does not
// depend on the note.
func (c *Cache) ShareCounts() { c.shares = newShareRegistry() }

// SelectBy implements [Core]. Pending occurrences are written even if s does not match them.
func (c *Cache) SelectBy(s *selector.Selector) { c.selector.Store(s) }

// Count adds an occurrence to its series, or drops it. If the occurrence needs a new series, Count
// does nothing and reports false. The caller must then complete the occurrence with a note and a
// name, and call Insert.
func (c *Cache) Count(o *Occurrence, key PackedKey) (r Result, counted bool) {
	sh := c.shardOf(o)
	sh.mu.Lock()
	r, counted = sh.count(o, key)
	sh.mu.Unlock() // without defer, which costs each repeated occurrence 2 %
	return r, counted
}

// Insert adds a new series that begins with o, which must have a note and a name. If another caller
// has added this series since the call of Count, Insert adds o to the existing series.
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

// Drop implements [Core]. The counters are summed over all shards, so it does not matter in which
// shard the occurrence is counted.
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

// Expire implements [Core]. It drops the occurrences that are too old.
func (c *Cache) Expire(now time.Time) (effects Effects, next time.Time) {
	// Until the new sleep is known, every new deadline wakes the timer.
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

// Poked returns a channel that receives a value when a deadline has become earlier, so that Expire
// must be called again.
func (c *Cache) Poked() <-chan struct{} { return c.poke }

// wakeTimer calls Poke if the time from now to deadline is shorter than the full length of the
// timer's current sleep. It would be exact to compare with the remaining part of the sleep, but
// this part is not known, because the timer's clock may run differently. An unnecessary wake-up
// does no harm, because the next sleep is shorter.
func (c *Cache) wakeTimer(deadline, now monotime) {
	if int64(deadline.Sub(now)) >= c.sleep.Load() {
		return
	}
	c.Poke()
}

// Poke sends a value to the channel that Poked returns, unless the channel already holds one. The
// goroutine that reads the channel then calls Expire again.
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

// Abandon implements [Core]. It also empties the cache.
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
