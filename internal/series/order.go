// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"slices"
	"sync/atomic"

	"github.com/eventseries/eventseries/internal/heap"
)

// cacheEntry is the cache's part of a series: whether the writer has it, and its
// place in the orders of its shard.
type cacheEntry struct {
	account  *account    // nil for a single
	gone     atomic.Bool // it left the cache; readable without the lock
	queued   bool        // waits in the writer
	inFlight bool        // a write is under way
	distinct bool        // it is in a noteGroup
	timer    int32       // its place in shard.timers
	victim   int32       // and in shard.victims
	wake     moment      // when the shard looks at it next
	rank     rank        // how early it is evicted; it may have become later since
	arrival  int64       // in the order of all series
}

// Gone reports whether the series has left the cache, so that the writer need not
// keep it. It needs no lock.
func (s *Series) Gone() bool { return s.gone.Load() }

// deadline returns when the shard must look at the series next.
func (s *Series) deadline(iv *Intervals) moment {
	if s.queued || s.inFlight { // the writer has it, and Settle looks again
		return s.last.Add(iv.RetryFor)
	}
	if why, at := s.nextWrite(iv); why != ForNothing {
		return at
	}
	return s.last.Add(iv.Finish)
}

// newTimers returns a heap of series by their next deadline.
func newTimers() heap.Heap[*Series] {
	return heap.Heap[*Series]{
		Before: func(a, b *Series) bool { return a.wake.Before(b.wake) },
		Place:  func(s *Series) *int32 { return &s.timer },
	}
}

// newVictims returns a heap of series by their rank.
func newVictims() heap.Heap[*Series] {
	return heap.Heap[*Series]{
		Before: func(a, b *Series) bool { return a.rank.before(b.rank) },
		Place:  func(s *Series) *int32 { return &s.victim },
	}
}

// rank says how early a series is evicted: first what the server has, the one that was quiet
// for longest first, and then what it does not have, the one that came first first.
type rank struct {
	standing standing
	order    int64 // the last occurrence, or the arrival
}

// standing is what would be lost with a series.
type standing uint8

const (
	idle         standing = iota // nothing
	normalWaits                  // occurrences of type Normal
	warningWaits                 // and of type Warning
	beingWritten                 // it is not evicted, because the server may have them
)

func (r rank) before(other rank) bool {
	return r.standing < other.standing || r.standing == other.standing && r.order < other.order
}

func (s *Series) rankNow() rank {
	switch {
	case s.inFlight:
		return rank{beingWritten, s.arrival}
	case s.unwritten() == 0:
		return rank{idle, int64(s.last)}
	}
	return s.rankWaiting()
}

// rankWaiting is the rank of a series with something unwritten, as each new one has.
func (s *Series) rankWaiting() rank {
	if s.normal() {
		return rank{normalWaits, s.arrival}
	}
	return rank{warningWaits, s.arrival}
}

// noteGroups has the series that differ in nothing but their note, by their key without
// it, in the order of their arrival.
type noteGroups map[string][]*Series

// overflow returns the series that takes an occurrence whose note has none: the newest of
// its group, or nil while the group has fewer than limit.
func (g noteGroups) overflow(base []byte, limit int) *Series {
	if group := g[string(base)]; len(group) >= limit {
		return group[len(group)-1]
	}
	return nil
}

func (g noteGroups) add(s *Series) { g[s.base()] = append(g[s.base()], s) }

func (g noteGroups) remove(s *Series) {
	base := s.base()
	g[base] = slices.DeleteFunc(g[base], func(other *Series) bool { return other == s })
	if len(g[base]) == 0 {
		delete(g, base)
	}
}
