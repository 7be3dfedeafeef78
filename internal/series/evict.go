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
	ok, dropped = c.evict(firstIdle(momentOf(at, c.epoch).Add(-idleBeforeEviction)))
	if !ok && warning {
		ok, dropped = c.evict(firstNormal)
	}
	return ok, dropped
}

// giveUp evicts one series so that another cache gets its share: one that is recorded,
// else the first Normal one, else one that waits.
func (c *Cache) giveUp(now moment) (ok bool, dropped []Dropped) {
	for _, first := range []candidate{firstIdle(now), firstNormal, firstWaiting} {
		if ok, dropped = c.evict(first); ok {
			break
		}
	}
	return ok, dropped
}

// candidate returns the series of a shard that is to be evicted first, nil for none, and
// its rank among those of all shards.
type candidate func(*shard) (s *Series, rank int64)

func (c *Cache) nearlyFull() bool { return c.budget.used.Load() >= c.budget.nearlyFull() }

// evict removes the series that is first by rank among the candidates of all shards.
// What it has unwritten is dropped as CacheFull. Its slot is the caller's.
func (c *Cache) evict(of candidate) (ok bool, dropped []Dropped) {
	for !ok {
		var first *shard
		lowest := int64(math.MaxInt64)
		for _, sh := range c.shards {
			sh.mu.Lock()
			if s, rank := of(sh); s != nil && rank <= lowest {
				first, lowest = sh, rank
			}
			sh.mu.Unlock()
		}
		if first == nil {
			return false, nil
		}
		ok, dropped = first.evict(of) // else it was observed or taken in between
	}
	return ok, dropped
}

func (sh *shard) evict(of candidate) (ok bool, dropped []Dropped) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	s, _ := of(sh)
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
func firstIdle(quiet moment) candidate {
	return func(sh *shard) (*Series, int64) {
		if len(sh.idle) == 0 || sh.idle[0].last.After(quiet) {
			return nil, 0
		}
		return sh.idle[0], int64(sh.idle[0].last)
	}
}

// firstNormal returns the Normal series that arrived first and has no write in
// flight. It skips at most as many series as there are workers.
func firstNormal(sh *shard) (*Series, int64) {
	for s := sh.normals.first; s != nil; s = s.later {
		if !s.inFlight {
			return s, s.arrival
		}
	}
	return nil, 0
}

// firstWaiting returns the series with no write in flight whose deadline is the next, or
// nearly so. It skips those that are being written.
func firstWaiting(sh *shard) (*Series, int64) {
	for _, s := range sh.timers {
		if !s.inFlight {
			return s, int64(s.wake)
		}
	}
	return nil, 0
}

// sweep returns the idle series with unwritten counts, at most once a minute
// and only when the budget is nearly used up.
func (c *Cache) sweep(now moment) (due []Due) {
	last := moment(c.swept.Load()) // in the future, if the clock was set back since
	if !c.nearlyFull() || !now.Before(last) && now.Sub(last) < idleBeforeEviction {
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
