// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/internal/heap"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/selector"
	"github.com/eventseries/eventseries/internal/stats"
)

// numShards is well above the cores that record at a time.
const (
	shardBits = 4
	numShards = 1 << shardBits
)

// Cache holds the series of one broadcaster. It is safe for concurrent use and
// never calls out while it holds a lock.
type Cache struct {
	iv          Intervals
	epoch       time.Time     // of all moments
	max         int64         // series
	names       *generations  // nil without continuity
	publishing  *rate.Limiter // nil for none
	objectLimit int
	shards      [numShards]*shard
	selector    atomic.Pointer[selector.Selector]

	size     atomic.Int64 // slots that are taken, at most max
	arrivals atomic.Int64

	sleep atomic.Int64 // how long the timer sleeps, a time.Duration
	poke  chan struct{}
}

// NewCache returns an empty cache of at most maxSeries series. now is the time by the clock
// that all later times are of.
func NewCache(iv Intervals, maxSeries int, now time.Time) *Cache {
	iv.lifetime = newLifetime()
	c := &Cache{
		iv:          iv,
		epoch:       now,
		max:         int64(maxSeries),
		objectLimit: math.MaxInt,
		poke:        make(chan struct{}, 1),
	}
	labels := &stats.LabelSets{}
	for i := range c.shards {
		c.shards[i] = newShard(c, labels)
	}
	c.sleep.Store(math.MaxInt64)
	return c
}

// Continue makes series survive the process, see [generations]. It is called before the first
// occurrence. A series that its note tells apart from others does not survive the process, because the
// name of its Event would not depend on the note.
func (c *Cache) Continue() { c.names = newGenerations() }

// SelectBy drops as Muted what a selector does not select, from now on. Nil selects all.
// What is pending is written all the same.
func (c *Cache) SelectBy(s *selector.Selector) { c.selector.Store(s) }

// Drop counts an occurrence that belongs to no series. All shards together have the
// accounts, so any of them will do.
func (c *Cache) Drop(labels stats.Labels, reason stats.Reason) stats.Reason {
	sh := c.shards[0]
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.closed == stats.Stopped {
		reason = stats.Stopped
	}
	sh.accounts.Of(labels).Drop(reason, 1)
	return reason
}

// Expire looks at all deadlines that have come. What it drops is too old.
func (c *Cache) Expire(now time.Time) (effects Effects, next time.Time) {
	// Until the new sleep is known, every earlier deadline pokes.
	c.sleep.Store(math.MaxInt64)
	at := momentOf(now, c.epoch)
	var first moment
	for _, sh := range c.shards {
		sh.mu.Lock()
		more, removed := sh.expire(at)
		if all := sh.timers.Items; len(all) > 0 && (first.IsZero() || all[0].wake.Before(first)) {
			first = all[0].wake
		}
		sh.mu.Unlock()
		effects.Due = append(effects.Due, more.Due...)
		effects.Dropped = append(effects.Dropped, more.Dropped...)
		c.size.Add(int64(-removed))
	}
	if first.IsZero() {
		return effects, time.Time{}
	}
	sleep := first.Sub(at)
	c.sleep.Store(int64(sleep))
	return effects, now.Add(sleep)
}

// Poked receives when a deadline became earlier, and Expire must be called again.
func (c *Cache) Poked() <-chan struct{} { return c.poke }

// wakeTimer pokes if the time from now to at is shorter than the whole sleep of the
// timer. How much of that is left is unknown, since a clock may have been set. A
// wake-up in vain makes the next sleep shorter.
func (c *Cache) wakeTimer(at, now moment) {
	if int64(at.Sub(now)) >= c.sleep.Load() {
		return
	}
	c.Poke()
}

// Poke makes whoever receives from Poked look at the deadlines.
func (c *Cache) Poke() {
	select {
	case c.poke <- struct{}{}:
	default:
	}
}

// Flush makes every unwritten series due now.
func (c *Cache) Flush(now time.Time, f *Flush) (effects Effects) {
	for _, sh := range c.shards {
		effects.Due = append(effects.Due, sh.flush(f, sh.moment(now))...)
	}
	return effects
}

// Close implements [Core].
func (c *Cache) Close(reason stats.Reason) {
	for _, sh := range c.shards {
		sh.mu.Lock()
		sh.closed = reason
		sh.mu.Unlock()
	}
}

// Abandon drops everything unwritten, in flight or not, and empties the cache.
// Later answers change nothing.
func (c *Cache) Abandon() (dropped []Dropped) {
	for _, sh := range c.shards {
		sh.mu.Lock()
		for _, s := range sh.timers.Items {
			dropped = append(dropped, sh.drop(s, stats.Abandoned)...)
		}
		c.size.Add(int64(-sh.clear()))
		sh.mu.Unlock()
	}
	return dropped
}

// Flush waits until everything that was unwritten when it was made is recorded or
// dropped. Flush of a [Core] makes it.
type Flush struct {
	remaining atomic.Int64
	finished  chan struct{}
	cancelled atomic.Bool
}

// NewFlush returns a Flush that waits for one item: its maker, so that it cannot finish early.
func NewFlush() *Flush {
	f := &Flush{finished: make(chan struct{})}
	f.remaining.Store(1)
	return f
}

// Add makes f wait for n more items, or for one less.
func (f *Flush) Add(n int64) {
	if f.remaining.Add(n) == 0 {
		close(f.finished)
	}
}

// Done is closed when everything is recorded or dropped.
func (f *Flush) Done() <-chan struct{} { return f.finished }

// Cancel tells the cores that nobody waits any more. They forget f when they next look at
// what it waits for, and before they take another Flush.
func (f *Flush) Cancel() { f.cancelled.Store(true) }

// Cancelled reports whether nobody waits any more.
func (f *Flush) Cancelled() bool { return f.cancelled.Load() }

// Remaining is the number of items that it still waits for.
func (f *Flush) Remaining() int64 { return f.remaining.Load() }

// flushTarget is what a Flush waits for in one series.
type flushTarget struct {
	observed int64 // so many occurrences recorded or dropped
	flush    *Flush
}

// forced reports whether a Flush wants the series to be written now.
func (s *Series) forced() bool { return len(s.rare().flushes) > 0 }

// finishFlushes finishes every Flush whose target is reached, and forgets those that ended
// early.
func (s *Series) finishFlushes() {
	if !s.forced() {
		return
	}
	x := s.more()
	x.flushes = slices.DeleteFunc(x.flushes, func(t flushTarget) bool {
		reached := t.observed <= s.recorded+x.dropped
		if reached {
			t.flush.Add(-1)
		}
		return reached || t.flush.Cancelled()
	})
}

const normalType = corev1.EventTypeNormal

// shard is a part of the cache under one lock. All series about one object are
// in the same shard.
type shard struct {
	of       *Cache             // the settings of all shards
	mu       sync.Mutex         // guards the rest and every series in it
	series   map[string]*Series // by key
	groups   noteGroups
	timers   heap.Heap[*Series] // every series
	victims  heap.Heap[*Series] // every series
	closed   stats.Reason       // every occurrence is dropped for it, unless it is None
	accounts stats.Accounts[*shard]
	objects  objectCounts

	_ [128]byte // two cache lines: cores that record about different objects share none
}

// account has the counters of the series with the same labels in one shard.
type account = stats.Account[*shard]

func newShard(c *Cache, labels *stats.LabelSets) *shard {
	sh := &shard{
		of:      c,
		series:  map[string]*Series{},
		groups:  noteGroups{},
		timers:  newTimers(),
		victims: newVictims(),
	}
	sh.accounts = stats.NewAccounts(sh, labels)
	return sh
}

func (sh *shard) moment(t time.Time) moment { return momentOf(t, sh.of.epoch) }

// account returns where an occurrence is counted.
func (sh *shard) account(o *Occurrence) *account { return sh.accounts.Of(o.Account()) }

// appendIfDue is queueIfDue for the effects of a change.
func (sh *shard) appendIfDue(due []Due, s *Series, now moment) []Due {
	class := sh.queueIfDue(s, now)
	if class == request.NoWrite {
		return due
	}
	return append(due, Due{s, class})
}

// queueIfDue marks s as queued if it should be written by now, and returns the class
// with which it must be handed to the writer.
func (sh *shard) queueIfDue(s *Series, now moment) request.Class {
	if s.queued || s.inFlight {
		return request.NoWrite
	}
	why, at := s.nextWrite(&sh.of.iv)
	if why == ForNothing || at.After(now) {
		return request.NoWrite
	}
	if why == ForInterval && at == s.publishAt(&sh.of.iv) && !sh.of.mayPublish(s, now) {
		s.passOver()
		return sh.queueIfDue(s, now) // a refresh or the finish may be due as well
	}
	s.queued = true
	return s.class()
}

// expire looks at every series whose deadline has come. It returns those that
// must be written now, and what was dropped.
func (sh *shard) expire(now moment) (effects Effects, removed int) {
	for len(sh.timers.Items) > 0 && !sh.timers.Items[0].wake.After(now) {
		s := sh.timers.Items[0]
		if s.tooOld(now, &sh.of.iv) || s.finished(now, &sh.of.iv) {
			effects.Dropped = append(effects.Dropped, sh.drop(s, stats.TooOld)...)
			sh.unlink(s)
			removed++
			continue
		}
		effects.Due = sh.appendIfDue(effects.Due, s, now)
		s.wake = s.deadline(&sh.of.iv)
		if !s.wake.After(now) { // queued or in flight past its time: its answer looks again
			s.wake = now.Add(sh.of.iv.RetryFor)
		}
		sh.timers.Fix(s)
	}
	return effects, removed
}

// flush makes every unwritten series due, and f wait for them.
func (sh *shard) flush(f *Flush, now moment) (due []Due) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	for _, s := range sh.timers.Items { // every series, in an order that a rerun repeats
		if s.unwritten() == 0 {
			continue
		}
		s.finishFlushes() // those that ended early leave nothing behind
		x := s.more()
		x.flushes = append(x.flushes, flushTarget{observed: s.observed, flush: f})
		f.Add(1)
		s.holds = 0 // it is tried at once, whatever its back-off
		due = sh.appendIfDue(due, s, now)
	}
	return due
}

// link adds a new series, that of first, to the map and the orders.
func (sh *shard) link(s *Series, first *Occurrence) {
	sh.series[s.key()] = s
	s.wake = math.MaxInt64 // until it has an occurrence
	sh.timers.Add(s)
	s.rank = s.rankWaiting()
	sh.victims.Add(s)
	if s.distinct {
		sh.groups.add(s)
	}
	sh.countObject(first)
}

// unlink removes a series from the map and the orders.
func (sh *shard) unlink(s *Series) {
	delete(sh.series, s.key())
	if s.distinct {
		sh.groups.remove(s)
	}
	sh.timers.Remove(s)
	sh.victims.Remove(s)
	first := s.First()
	sh.objects.add(&first, ^uint16(0))
	s.gone.Store(true)
}

// clear removes all series and returns how many there were. Unlike unlink it does not
// keep the orders in between, which costs more than the rest when there are many.
func (sh *shard) clear() (removed int) {
	removed = len(sh.timers.Items)
	for _, s := range sh.timers.Items {
		s.gone.Store(true)
	}
	sh.series = map[string]*Series{}
	sh.groups = noteGroups{}
	sh.objects = nil
	sh.timers.Items = nil
	sh.victims.Items = nil
	return removed
}

// reindex updates the orders after the state of s has changed, and wakes the timer if the
// deadline is earlier now. One that moved to later stays in the heap as it is: when it
// comes, the new one is computed.
func (sh *shard) reindex(s *Series, now moment) {
	if at := s.deadline(&sh.of.iv); at.Before(s.wake) {
		s.wake = at
		sh.timers.Fix(s)
		sh.of.wakeTimer(at, now)
	}
	sh.rerank(s)
	s.finishFlushes()
}

// rerank moves s among the victims if it is evicted earlier from now on. A later place is
// found when s is the first of them, which most never are.
func (sh *shard) rerank(s *Series) {
	if now := s.rankNow(); now.before(s.rank) {
		s.rank = now
		sh.victims.Fix(s)
	}
}
