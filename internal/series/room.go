// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"math"
	"time"

	"github.com/eventseries/eventseries/internal/stats"
)

// reserve takes a slot for a newcomer: a free one, or that of a series which
// gives way. Only the size is counted globally, so the bound is exact while the
// shards hold no quota.
func (c *Cache) reserve(now time.Time, warning bool) (ok bool, given []Given) {
	if n := c.size.Add(1); n <= c.max {
		if n == c.tight() {
			c.pokeTimer()
		}
		return true, nil
	}
	c.size.Add(-1)
	if c.evictIdle(now) {
		return true, nil
	}
	if warning {
		return c.displaceNormal()
	}
	return false, nil
}

// tight is the size from which idle counts are published early, so that there
// is something to evict when the cache is full.
func (c *Cache) tight() int64 { return c.max - c.max/10 }

// evictIdle removes the least recently observed series with nothing unwritten,
// if it has been idle long enough. Its slot is the caller's.
func (c *Cache) evictIdle(now time.Time) bool {
	for {
		var oldest *shard
		last := now.Add(-idleBeforeEviction)
		for _, sh := range c.shards {
			sh.mu.Lock()
			if len(sh.idle) > 0 && !sh.idle[0].last.After(last) {
				oldest, last = sh, sh.idle[0].last
			}
			sh.mu.Unlock()
		}
		if oldest == nil {
			return false
		}
		if oldest.evictIdle(now) { // else it was observed or taken in between: there may be others
			return true
		}
	}
}

func (sh *shard) evictIdle(now time.Time) bool {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if len(sh.idle) == 0 || sh.idle[0].last.After(now.Add(-idleBeforeEviction)) {
		return false
	}
	sh.remove(sh.idle[0])
	sh.counters.Evicted++
	return true
}

// displaceNormal removes the Normal series that arrived first and has no write
// in flight, for a Warning. What it had unwritten is dropped as CacheFull.
func (c *Cache) displaceNormal() (ok bool, given []Given) {
	for !ok {
		var oldest *shard
		arrival := int64(math.MaxInt64)
		for _, sh := range c.shards {
			sh.mu.Lock()
			if s := sh.firstNormal(); s != nil && s.arrival < arrival {
				oldest, arrival = sh, s.arrival
			}
			sh.mu.Unlock()
		}
		if oldest == nil {
			return false, nil
		}
		ok, given = oldest.displaceNormal() // else it was taken in between
	}
	return ok, given
}

func (sh *shard) displaceNormal() (ok bool, given []Given) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	s := sh.firstNormal()
	if s == nil {
		return false, nil
	}
	if n := sh.drop(s, stats.CacheFull); n > 0 {
		given = append(given, newGiven(s, stats.CacheFull, n))
	}
	sh.remove(s)
	sh.counters.Evicted++
	return true, given
}

// firstNormal skips at most as many series as there are workers.
func (sh *shard) firstNormal() *Series {
	s := sh.normals.first
	for s != nil && s.inflight {
		s = s.later
	}
	return s
}

// sweep returns the idle series with unwritten counts, at most once a minute
// and only when the cache is nearly full.
func (c *Cache) sweep(now time.Time) (due []Due) {
	if c.size.Load() < c.tight() || c.sweptLately(now) {
		return nil
	}
	c.swept.Store(&now)
	for _, sh := range c.shards {
		sh.mu.Lock()
		for _, s := range sh.timers {
			if s.unwritten() == 0 || s.queued || s.inflight || now.Sub(s.last) < idleBeforeEviction {
				continue
			}
			s.queued = true
			due = append(due, Due{s, s.op()})
		}
		sh.mu.Unlock()
	}
	return due
}

// sweptLately tells whether the last sweep was less than a minute ago. One that is
// still to come was before the clock was set back.
func (c *Cache) sweptLately(now time.Time) bool {
	last := c.swept.Load()
	return last != nil && !now.Before(*last) && now.Sub(*last) < idleBeforeEviction
}
