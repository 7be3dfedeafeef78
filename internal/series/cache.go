// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package series is the pure core of the SDK: which occurrences belong together
// ([Key]), what one series of them wants written and when ([Series]), and a
// bounded, sharded memory of all series ([Cache]). It does no I/O, starts no
// goroutine and reads no clock: callers pass the time in and take writes out.
package series

import (
	"math"
	"sync/atomic"
	"time"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

// numShards is well above the cores that record at a time.
const (
	shardBits = 4
	numShards = 1 << shardBits
)

// Occurrence is what one call adds to a series beyond its key.
type Occurrence struct {
	At            time.Time
	Annotations   map[string]string
	LatestNote    string // under NotesLatest: the note, already repaired
	DistinctNotes int    // under NotesDistinct: how many notes get a series of their own
}

// Result tells the recorder what became of an occurrence.
type Result struct {
	Missing bool         // no such series: build one and Insert it
	Dropped stats.Reason // if it was
	LeftOut bool         // annotations were, for want of room
	Series  *Series
	Enqueue request.Op // hand Series to the writer with this operation, unless zero
	wake    time.Time  // when the timer must look again, if that moved to earlier
}

// Due is a series that must be handed to the writer.
type Due struct {
	Series *Series
	Op     request.Op
}

// Cache holds the series of one broadcaster. It is safe for concurrent use and
// never calls out while it holds a lock.
type Cache struct {
	iv       Intervals
	max      int64
	shards   [numShards]*shard
	size     atomic.Int64
	arrivals atomic.Int64

	sleep atomic.Int64 // how long the timer sleeps, a time.Duration
	poke  chan struct{}
	swept atomic.Pointer[time.Time] // the last time idle counts were published early
}

// NewCache returns an empty cache of at most maxSeries series.
func NewCache(iv Intervals, maxSeries int) *Cache {
	c := &Cache{iv: iv, max: int64(maxSeries), poke: make(chan struct{}, 1)}
	room := newRoom(maxSeries)
	for i := range c.shards {
		c.shards[i] = newShard(room)
	}
	c.sleep.Store(math.MaxInt64)
	return c
}

// shard picks by the object alone: different objects rarely share a lock, and
// what is about one object is together. There is no random seed in it, so that a
// simulated run can be repeated; who makes objects collide gains no more than a
// shared lock.
func (c *Cache) shard(key *Key) *shard {
	name := string(key.Regarding.UID)
	if name == "" {
		name = key.Regarding.Name
	}
	return c.shards[scatter(name)]
}

// scatter maps names to shards by their last eight bytes: that is where UIDs and
// generated names differ. The product's upper bits are those that each bit of the
// tail reaches.
func scatter(name string) uint64 {
	var tail uint64
	if n := len(name) - 8; n >= 0 {
		t := name[n:]
		tail = uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24 |
			uint64(t[4])<<32 | uint64(t[5])<<40 | uint64(t[6])<<48 | uint64(t[7])<<56 // one load
	} else {
		for i := range len(name) {
			tail = tail<<8 | uint64(name[i])
		}
	}
	return tail * fibonacci >> (64 - shardBits)
}

// fibonacci is 2^64 over the golden ratio: its multiples are spread evenly (Knuth,
// volume 3, section 6.4).
const fibonacci = 0x9E3779B97F4A7C15

// Observe folds an occurrence into its series. Result.Missing asks the caller
// to build the series, without any lock held, and to call Insert.
func (c *Cache) Observe(key *Key, o *Occurrence) Result {
	var buf [keyBuffer]byte
	id := key.pack(buf[:0])
	sh := c.shard(key)
	sh.mu.Lock()
	r := sh.observe(id, o, &c.iv)
	sh.mu.Unlock()
	c.wakeTimer(r.wake, o.At)
	return r
}

// Insert adds a series for a first occurrence. It copies what it keeps. given
// lists the occurrences of another series that had to give way.
func (c *Cache) Insert(key *Key, head *Head, o *Occurrence) (r Result, given []Given) {
	ok, given := c.reserve(o.At, key.Type != normalType)
	var buf [2 * keyBuffer]byte // the head follows
	id := key.pack(buf[:0])
	sh := c.shard(key)
	if !ok {
		return sh.insertFull(id, o, &c.iv), given
	}
	s := newSeries(id, head)
	s.arrival, s.normal, s.shard = c.arrivals.Add(1), key.Type == normalType, sh
	leftOut := s.annotate(o.Annotations)
	sh.mu.Lock()
	r, used := sh.insert(id, s, o, &c.iv)
	sh.mu.Unlock()
	if !used {
		c.size.Add(-1)
	}
	if r.Series == s {
		r.LeftOut = leftOut
	} else {
		s.giveRoom() // another caller was faster
	}
	c.wakeTimer(r.wake, o.At)
	return r, given
}

// insertFull drops an occurrence for which there is no room, unless another
// caller has inserted its key or Drain has begun.
func (sh *shard) insertFull(id packedKey, o *Occurrence, iv *Intervals) Result {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	r := sh.observe(id, o, iv)
	if r.Missing {
		sh.counters.Refuse(stats.CacheFull, 1)
		r = Result{Dropped: stats.CacheFull}
	}
	return r
}

// Refuse books an occurrence that never had a key.
func (c *Cache) Refuse(reason stats.Reason) stats.Reason {
	sh := c.shards[0]
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.closed {
		reason = stats.Stopped
	}
	sh.counters.Refuse(reason, 1)
	return reason
}

// Begin takes the next write of a queued series; false if there is none any
// more. The caller must answer with Settle. Writes are built under the lock so
// that they carry the latest state, and handed out to be sent without it.
func (c *Cache) Begin(s *Series) (w *Write, ok bool) {
	sh := s.shard
	sh.mu.Lock()
	defer sh.mu.Unlock()
	s.queued = false
	if s.Gone() || s.inflight || s.unwritten() == 0 {
		return nil, false
	}
	w = s.next()
	s.inflight, s.sending = true, w.Count
	return w, true
}

// wakeTimer makes the timer look again if the time from now to at is shorter than
// its whole sleep. How much is left of that is not known: a clock may have been set
// since. What it wakes up for in vain makes the next sleep shorter.
func (c *Cache) wakeTimer(at, now time.Time) {
	if at.IsZero() || int64(at.Sub(now)) >= c.sleep.Load() {
		return
	}
	c.pokeTimer()
}
