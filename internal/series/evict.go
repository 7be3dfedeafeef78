// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"math"
	"time"

	"github.com/eventseries/eventseries/internal/stats"
)

// idleBeforeEviction is how long a series must have been quiet before it is
// evicted: a full cache must not turn repeats into Creates.
const idleBeforeEviction = time.Minute

// reserve takes a slot for a new series: a free one, one of a cache that has more than
// its share, or that of a series of its own which it evicts. Only slots are counted
// globally, so the bound is exact while the shards hold no quota.
func (c *Cache) reserve(at time.Time, warning bool) (ok bool, dropped []Dropped) {
	if c.budget.take(c) {
		return true, nil
	}
	if other := c.budget.largest(c); other != nil {
		if ok, dropped = other.giveUp(momentOf(at, other.epoch)); ok {
			other.size.Add(-1)
			c.size.Add(1)
			return true, dropped
		}
	}
	if ok, _ := c.evictIdle(momentOf(at, c.epoch).Add(-idleBeforeEviction)); ok {
		return true, nil
	}
	if warning {
		return c.evictNormal()
	}
	return false, nil
}

// giveUp evicts one series so that another cache gets its share: one that is recorded,
// else the first Normal one, else one that waits.
func (c *Cache) giveUp(now moment) (ok bool, dropped []Dropped) {
	if ok, _ := c.evictIdle(now); ok {
		return true, nil
	}
	if ok, dropped = c.evictNormal(); ok {
		return true, dropped
	}
	return c.evict((*shard).firstWaiting, func(s *Series) int64 { return int64(s.wake) })
}

func (c *Cache) evictIdle(quiet moment) (ok bool, dropped []Dropped) {
	idle := func(sh *shard) *Series { return sh.firstIdle(quiet) }
	return c.evict(idle, func(s *Series) int64 { return int64(s.last) })
}

func (c *Cache) evictNormal() (ok bool, dropped []Dropped) {
	return c.evict((*shard).firstNormal, func(s *Series) int64 { return s.arrival })
}

func (c *Cache) nearlyFull() bool { return c.budget.used.Load() >= c.budget.nearlyFull() }

// evict removes the series that is first by rank among the candidates of all shards.
// What it has unwritten is dropped as CacheFull. Its slot is the caller's.
func (c *Cache) evict(candidate func(*shard) *Series, rank func(*Series) int64) (ok bool, dropped []Dropped) {
	for !ok {
		var first *shard
		lowest := int64(math.MaxInt64)
		for _, sh := range c.shards {
			sh.mu.Lock()
			if s := candidate(sh); s != nil && rank(s) <= lowest {
				first, lowest = sh, rank(s)
			}
			sh.mu.Unlock()
		}
		if first == nil {
			return false, nil
		}
		ok, dropped = first.evict(candidate) // else it was observed or taken in between
	}
	return ok, dropped
}

func (sh *shard) evict(candidate func(*shard) *Series) (ok bool, dropped []Dropped) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	s := candidate(sh)
	if s == nil {
		return false, nil
	}
	dropped = sh.drop(s, stats.CacheFull)
	sh.unlink(s)
	s.account.Evicted++
	return true, dropped
}

// firstIdle returns the least recently observed series with nothing unwritten, if it
// has been quiet for long enough.
func (sh *shard) firstIdle(quiet moment) *Series {
	if len(sh.idle) == 0 || sh.idle[0].last.After(quiet) {
		return nil
	}
	return sh.idle[0]
}

// firstNormal returns the Normal series that arrived first and has no write in
// flight. It skips at most as many series as there are workers.
func (sh *shard) firstNormal() *Series {
	s := sh.normals.first
	for s != nil && s.inFlight {
		s = s.later
	}
	return s
}

// firstWaiting returns the series with no write in flight whose deadline is the next, or
// nearly so. It skips those that are being written.
func (sh *shard) firstWaiting() *Series {
	for _, s := range sh.timers {
		if !s.inFlight {
			return s
		}
	}
	return nil
}

// sweep returns the idle series with unwritten counts, at most once a minute
// and only when the budget is nearly used up.
func (c *Cache) sweep(now moment) (due []Due) {
	if !c.nearlyFull() || c.sweptLately(now) {
		return nil
	}
	c.swept.Store(int64(now))
	for _, sh := range c.shards {
		sh.mu.Lock()
		for _, s := range sh.timers {
			if s.unwritten() == 0 || s.queued || s.inFlight || now.Sub(s.last) < idleBeforeEviction {
				continue
			}
			s.queued = true
			due = append(due, Due{s, s.class()})
		}
		sh.mu.Unlock()
	}
	return due
}

// sweptLately reports whether the last sweep was less than a minute ago. A sweep in
// the future was before the clock was set back.
func (c *Cache) sweptLately(now moment) bool {
	last := moment(c.swept.Load())
	return !now.Before(last) && now.Sub(last) < idleBeforeEviction
}
