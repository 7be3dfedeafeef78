// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"math"
	"time"

	"github.com/eventseries/eventseries/internal/heap"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/timing"
)

// evictionRank orders series for eviction. Series without unwritten occurrences come first,
// beginning with the one whose last occurrence is oldest. All others follow by class, in order of
// arrival.
type evictionRank struct {
	class evictionClass
	order int64 // the time of the last occurrence, or the arrival number
}

// evictionClass says which occurrences would be lost if the series were evicted.
type evictionClass uint8

const (
	// idle: nothing would be lost.
	idle evictionClass = iota
	// normalWaits: occurrences of type Normal would be lost.
	normalWaits
	// warningWaits: occurrences of type Warning would be lost.
	warningWaits
	// beingWritten: a write of the series is in flight. The series is not evicted, because the
	// server might be storing its occurrences.
	beingWritten
)

func (r evictionRank) before(other evictionRank) bool {
	return r.class < other.class || r.class == other.class && r.order < other.order
}

// rankNow returns the current rank of the series. The field rank, which orders the heap, may be out
// of date.
func (e *entry) rankNow() evictionRank {
	switch {
	case e.inFlight:
		return evictionRank{beingWritten, e.arrival}
	case e.unwritten() == 0:
		return evictionRank{idle, int64(e.last)}
	}
	return e.rankWaiting()
}

// rankWaiting returns the rank of a series with unwritten occurrences, such as a new one.
func (e *entry) rankWaiting() evictionRank {
	if e.normal() {
		return evictionRank{normalWaits, e.arrival}
	}
	return evictionRank{warningWaits, e.arrival}
}

// newVictims returns a heap of series in the order of their ranks.
func newVictims() heap.Heap[*entry] {
	return heap.Heap[*entry]{
		Before: func(a, b *entry) bool { return a.rank.before(b.rank) },
		Place:  func(e *entry) *int32 { return &e.victim },
	}
}

// reserve takes a slot, which is the room for one series in the cache: a free slot, or the slot of
// a series that it evicts. It reports whether there was a slot, and returns the occurrences that
// were dropped because of an eviction.
//
// If the cache is full, a new Warning series takes the slot of a series without unwritten
// occurrences or, if there is none, of the oldest Normal series. A new Normal series takes only the
// slot of a series that has no unwritten occurrences and whose last occurrence is at least
// timing.EvictionAge old.
//
// All shards take their slots from one counter, so the limit is exact. The caller must not hold a
// lock, because evict takes the locks of all shards.
func (c *Cache) reserve(at time.Time, warning bool) (ok bool, dropped []Dropped) {
	if c.size.Add(1) <= c.max {
		return true, nil
	}
	c.size.Add(-1)
	if warning {
		return c.evict(evictionRank{normalWaits, math.MaxInt64})
	}
	return c.evict(evictionRank{idle, int64(monotimeOf(at, c.epoch).Add(-timing.EvictionAge))})
}

// evict removes the series with the lowest rank in all shards, unless that rank is above maxRank.
// It drops the unwritten occurrences of this series with the reason CacheFull. The caller gets the
// slot of the series.
func (c *Cache) evict(maxRank evictionRank) (ok bool, dropped []Dropped) {
	for !ok {
		var first *shard
		lowest := maxRank
		for _, sh := range c.shards {
			sh.mu.Lock()
			if e := sh.victim(lowest); e != nil {
				first = sh
				lowest = e.rank
			}
			sh.mu.Unlock()
		}
		if first == nil {
			return false, nil
		}
		ok, dropped = first.evict(lowest) // otherwise it was observed or evicted in the meantime
	}
	return ok, dropped
}

func (sh *shard) evict(maxRank evictionRank) (ok bool, dropped []Dropped) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	e := sh.victim(maxRank)
	if e == nil {
		return false, nil
	}
	dropped = sh.drop(e, stats.CacheFull)
	sh.unlink(e)
	e.account.Evicted++
	return true, dropped
}

// victim returns the series with the lowest rank in the shard, or nil if there is none or if that
// rank is above maxRank.
func (sh *shard) victim(maxRank evictionRank) *entry {
	for len(sh.victims.Items) > 0 && !maxRank.before(sh.victims.Items[0].rank) {
		e := sh.victims.Items[0]
		now := e.rankNow()
		if now == e.rank {
			return e
		}
		e.rank = now
		sh.victims.Fix(e)
	}
	return nil
}
