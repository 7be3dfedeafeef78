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

// evictionRank says how early a series is evicted. Series with nothing unwritten go first, beginning
// with the one that was quiet for longest. Then go the others, in the order in which they came.
type evictionRank struct {
	class evictionClass
	order int64 // the last occurrence, or the arrival
}

// evictionClass says what would be lost with a series.
type evictionClass uint8

const (
	// idle: nothing would be lost.
	idle evictionClass = iota
	// normalWaits: occurrences of type Normal would be lost.
	normalWaits
	// warningWaits: occurrences of type Warning would be lost.
	warningWaits
	// beingWritten: the series is not evicted, because the server may have its occurrences.
	beingWritten
)

func (r evictionRank) before(other evictionRank) bool {
	return r.class < other.class || r.class == other.class && r.order < other.order
}

// rankNow returns the rank by the state of the series. The one in the heap may be older.
func (e *entry) rankNow() evictionRank {
	switch {
	case e.inFlight:
		return evictionRank{beingWritten, e.arrival}
	case e.unwritten() == 0:
		return evictionRank{idle, int64(e.last)}
	}
	return e.rankWaiting()
}

// rankWaiting returns the rank of a series with something unwritten, as each new one has.
func (e *entry) rankWaiting() evictionRank {
	if e.normal() {
		return evictionRank{normalWaits, e.arrival}
	}
	return evictionRank{warningWaits, e.arrival}
}

// newVictims returns a heap of series by their rank.
func newVictims() heap.Heap[*entry] {
	return heap.Heap[*entry]{
		Before: func(a, b *entry) bool { return a.rank.before(b.rank) },
		Place:  func(e *entry) *int32 { return &e.victim },
	}
}

// reserve takes a slot for a new series: a free one, or the slot of a series that it evicts. A
// Warning takes the slot of any series with nothing unwritten, or else of the oldest Normal that
// waits. A Normal takes the slot of a series with nothing unwritten only, and only after
// timing.EvictionAge. All shards take their slots from one counter, so the bound is exact. The
// caller must hold no lock, because evict takes the locks of all shards.
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

// evict removes the first series of all shards by rank, unless it ranks after last. Its unwritten
// occurrences are dropped as CacheFull. Its slot is the caller's.
func (c *Cache) evict(last evictionRank) (ok bool, dropped []Dropped) {
	for !ok {
		var first *shard
		lowest := last
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
		ok, dropped = first.evict(lowest) // else it was observed or taken in between
	}
	return ok, dropped
}

func (sh *shard) evict(last evictionRank) (ok bool, dropped []Dropped) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	e := sh.victim(last)
	if e == nil {
		return false, nil
	}
	dropped = sh.drop(e, stats.CacheFull)
	sh.unlink(e)
	e.account.Evicted++
	return true, dropped
}

// victim returns the series that is evicted first, or nil if there is none, or if it ranks after
// last.
func (sh *shard) victim(last evictionRank) *entry {
	for len(sh.victims.Items) > 0 && !last.before(sh.victims.Items[0].rank) {
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
