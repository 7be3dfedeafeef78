// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"math"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/internal/heap"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

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
		of: c, series: map[string]*Series{}, groups: noteGroups{}, timers: newTimers(), victims: newVictims(),
	}
	sh.accounts = stats.NewAccounts(sh, labels)
	return sh
}

func (sh *shard) moment(t time.Time) moment { return momentOf(t, sh.of.epoch) }

// account returns where an occurrence is counted.
func (sh *shard) account(o *Occurrence) *account { return sh.accounts.Of(o.Account()) }

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
		if class := sh.queueIfDue(s, now); class != request.NoWrite {
			effects.Due = append(effects.Due, Due{s, class})
		}
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
		if class := sh.queueIfDue(s, now); class != request.NoWrite {
			due = append(due, Due{s, class})
		}
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
	sh.series, sh.groups, sh.objects = map[string]*Series{}, noteGroups{}, nil
	sh.timers.Items, sh.victims.Items = nil, nil
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
