// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/eventseries/eventseries/internal/stats"
)

// Budget bounds the series of one cache, or of several together. While it has free slots,
// every cache takes what it needs. When it has none, each has an equal share: a cache
// below its share takes a slot from the largest one, and a cache at its share evicts its
// own series. So one that cannot write takes no slot from the others.
type Budget struct {
	max  int64
	used atomic.Int64

	mu     sync.Mutex // guards caches; no other lock is taken under it
	caches []*Cache   // of which none is abandoned
}

// NewBudget returns a budget of at most maxSeries series.
func NewBudget(maxSeries int) *Budget { return &Budget{max: int64(maxSeries)} }

// Max is how many series the caches may have together.
func (b *Budget) Max() int { return int(b.max) }

func (b *Budget) join(c *Cache) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.caches = append(b.caches, c)
}

// leave must be called when c is abandoned, so that others get its share.
func (b *Budget) leave(c *Cache) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.caches = slices.DeleteFunc(b.caches, func(other *Cache) bool { return other == c })
}

// take takes a slot for c, if one is free.
func (b *Budget) take(c *Cache) bool {
	if b.used.Add(1) > b.max {
		b.used.Add(-1)
		return false
	}
	c.size.Add(1)
	return true
}

// release returns n slots of c.
func (b *Budget) release(c *Cache, n int) {
	c.size.Add(int64(-n))
	b.used.Add(int64(-n))
}

// largest returns the cache that must give up a slot for c, or nil if c has its share.
func (b *Budget) largest(c *Cache) (largest *Cache) {
	b.mu.Lock()
	defer b.mu.Unlock()
	size, sharers := int64(0), int64(1)
	for _, other := range b.caches {
		n := other.size.Load()
		if other == c || n == 0 {
			continue
		}
		sharers++
		if n > size {
			largest, size = other, n
		}
	}
	if share := b.max / sharers; c.size.Load() >= share || size <= share {
		return nil
	}
	return largest
}

// idleBeforeEviction is how long a series must have been quiet before a Normal one takes
// its slot: a full cache must not turn repeats into Creates.
const idleBeforeEviction = time.Minute

// reserve takes a slot for a new series: a free one, one of a cache that has more than
// its share, or that of a series of its own which it evicts. Only slots are counted
// globally, so the bound is exact while the shards hold no quota.
func (c *Cache) reserve(at time.Time, warning bool) (ok bool, dropped []Dropped) {
	if c.budget.take(c) {
		return true, nil
	}
	if other := c.budget.largest(c); other != nil {
		if ok, dropped = other.evict(rank{warningWaits, math.MaxInt64}); ok {
			other.size.Add(-1)
			c.size.Add(1)
			return true, dropped
		}
	}
	if warning {
		return c.evict(rank{normalWaits, math.MaxInt64})
	}
	return c.evict(rank{idle, int64(momentOf(at, c.epoch).Add(-idleBeforeEviction))})
}

// evict removes the first series of all shards by rank, unless it ranks after last. What it
// has unwritten is dropped as CacheFull. Its slot is the caller's.
func (c *Cache) evict(last rank) (ok bool, dropped []Dropped) {
	for !ok {
		var first *shard
		lowest := last
		for _, sh := range c.shards {
			sh.mu.Lock()
			if s := sh.victim(lowest); s != nil {
				first, lowest = sh, s.rank
			}
			sh.mu.Unlock()
		}
		if first == nil {
			return false, nil
		}
		ok, dropped = first.evict(lowest) // else it was observed or taken in between
	}
	return ok, dropped
}

func (sh *shard) evict(last rank) (ok bool, dropped []Dropped) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	s := sh.victim(last)
	if s == nil {
		return false, nil
	}
	dropped = sh.drop(s, stats.CacheFull)
	sh.unlink(s)
	s.account.Evicted++
	return true, dropped
}

// victim returns the series that is evicted first, nil if there is none or it ranks after
// last.
func (sh *shard) victim(last rank) *Series {
	for len(sh.victims.Items) > 0 && !last.before(sh.victims.Items[0].rank) {
		s := sh.victims.Items[0]
		now := s.rankNow()
		if now == s.rank {
			return s
		}
		s.rank = now
		sh.victims.Fix(s)
	}
	return nil
}
