// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"math"
	"time"

	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/timing"
)

// reserve takes a slot for a new series: a free one, or that of a series which it evicts.
// Only slots are counted globally, so the bound is exact while the shards hold no quota.
func (c *Cache) reserve(at time.Time, warning bool) (ok bool, dropped []Dropped) {
	if c.size.Add(1) <= c.max {
		return true, nil
	}
	c.size.Add(-1)
	if warning {
		return c.evict(rank{normalWaits, math.MaxInt64})
	}
	return c.evict(rank{idle, int64(momentOf(at, c.epoch).Add(-timing.EvictionAge))})
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
				first = sh
				lowest = s.rank
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
