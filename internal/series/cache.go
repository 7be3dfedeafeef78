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

	"github.com/eventseries/eventseries/internal/account"
)

// numShards is a power of two well above the cores that record at a time.
const numShards = 16

// Occurrence is what one call adds to a series beyond its key.
type Occurrence struct {
	At            time.Time
	Annotations   map[string]string
	LatestNote    string // under NotesLatest: the note, already repaired
	DistinctNotes int    // under NotesDistinct: how many notes get a series of their own
}

// Result tells the recorder what became of an occurrence.
type Result struct {
	Missing bool           // no such series: build one and Insert it
	Dropped account.Reason // if it was
	Series  *Series
	Enqueue Op // hand Series to the writer with this operation, unless zero
	wake    time.Time
}

// Due is a series that must be handed to the writer.
type Due struct {
	Series *Series
	Op     Op
}

// Cache holds the series of one broadcaster. It is safe for concurrent use and
// never calls out while it holds a lock.
type Cache struct {
	iv       Intervals
	max      int64
	shards   [numShards]*shard
	size     atomic.Int64
	arrivals atomic.Int64

	sleepUntil atomic.Int64 // when the timer will look again, in Unix nanoseconds
	poke       chan struct{}
	swept      atomic.Int64 // the last time idle counts were published early
}

// NewCache returns an empty cache of at most maxSeries series.
func NewCache(iv Intervals, maxSeries int) *Cache {
	c := &Cache{iv: iv, max: int64(maxSeries), poke: make(chan struct{}, 1)}
	for i := range c.shards {
		c.shards[i] = newShard()
	}
	c.sleepUntil.Store(math.MaxInt64)
	return c
}

// shard picks by the object alone: different objects rarely share a lock, and
// hashing the rest of the key is left to the map.
func (c *Cache) shard(key *Key) *shard {
	id := string(key.Regarding.UID)
	if id == "" {
		id = key.Regarding.Name
	}
	return c.shards[hash(id[max(0, len(id)-hashed):])%numShards]
}

// hashed is how many of an id's last bytes choose the shard: that is where UIDs
// and generated names differ.
const hashed = 16

// hash is 32-bit FNV-1a. It has no random seed, so that a simulated run can be
// repeated; who makes ids collide gains no more than a shared lock.
func hash(id string) uint32 {
	h := uint32(2166136261)
	for i := range len(id) {
		h = (h ^ uint32(id[i])) * 16777619
	}
	return h
}

// Observe folds an occurrence into its series. Result.Missing asks the caller
// to build the series, without any lock held, and to call Insert.
func (c *Cache) Observe(key *Key, o *Occurrence) Result {
	sh := c.shard(key)
	sh.mu.Lock()
	r := sh.observe(key, o, &c.iv)
	sh.mu.Unlock()
	c.wakeTimer(r.wake)
	return r
}

// Insert adds a series for a first occurrence. It clones what it keeps. given
// lists the occurrences of another series that had to give way.
func (c *Cache) Insert(key *Key, head *Head, o *Occurrence) (r Result, given []Given) {
	ok, given := c.reserve(o.At, key.Type != normalType)
	if !ok {
		return c.insertFull(key, o), given
	}
	s := &Series{key: key.clone(), head: head.clone(), shelf: shelf{arrival: c.arrivals.Add(1)}}
	s.annotate(o.Annotations)
	sh := c.shard(key)
	sh.mu.Lock()
	r, used := sh.insert(s, o, &c.iv)
	sh.mu.Unlock()
	if !used {
		c.size.Add(-1)
	}
	c.wakeTimer(r.wake)
	return r, given
}

// insertFull drops an occurrence for which there is no room, unless another
// caller has inserted its key or Drain has begun.
func (c *Cache) insertFull(key *Key, o *Occurrence) Result {
	sh := c.shard(key)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	r := sh.observe(key, o, &c.iv)
	if r.Missing {
		sh.counters.Refuse(account.CacheFull, 1)
		r = Result{Dropped: account.CacheFull}
	}
	return r
}

// Refuse books an occurrence that never had a key.
func (c *Cache) Refuse(reason account.Reason) account.Reason {
	sh := c.shards[0]
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.closed {
		reason = account.Stopped
	}
	sh.counters.Refuse(reason, 1)
	return reason
}

// Begin takes the next write of a queued series; false if there is none any
// more. The caller must answer with Settle. Writes are built under the lock so
// that they carry the latest state, and handed out to be sent without it.
func (c *Cache) Begin(s *Series) (w *Write, ok bool) {
	sh := c.home(s)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	s.queued = false
	if s.shard == nil || s.unwritten() == 0 {
		return nil, false
	}
	w = s.next()
	s.inflight, s.sending = true, w.Count
	return w, true
}

// home finds the shard also of a series that has left it.
func (c *Cache) home(s *Series) *shard { return c.shard(&s.key) }

// wakeTimer makes the timer look again if at is before it would.
func (c *Cache) wakeTimer(at time.Time) {
	if at.IsZero() || at.UnixNano() >= c.sleepUntil.Load() {
		return
	}
	c.pokeTimer()
}
