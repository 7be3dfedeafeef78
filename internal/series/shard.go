// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"container/heap"
	"math"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/selector"
	"github.com/eventseries/eventseries/internal/stats"
)

const normalType = corev1.EventTypeNormal

// shard is a part of the cache under one lock. All series about one object are
// in the same shard.
type shard struct {
	of        *Cache             // the settings of all shards
	mu        sync.Mutex         // guards the rest and every series in it
	series    map[string]*Series // by key
	groups    noteGroups
	timers    timers
	idle      idlers
	normals   arrivals // the series of type Normal
	flushes   map[*Series][]flushTarget
	takesNone stats.Reason // every occurrence is dropped for it, unless it is None
	accounts  stats.Accounts[*shard]
	selector  *selector.Selector
	limit     *objectLimit // nil for none

	_ [128]byte // two cache lines: cores that record about different objects share none
}

// account has the counters of the series with the same labels in one shard.
type account = stats.Account[*shard]

func newShard(c *Cache, labels *stats.LabelSets) *shard {
	sh := &shard{
		of: c, series: map[string]*Series{}, groups: noteGroups{}, flushes: map[*Series][]flushTarget{},
	}
	sh.accounts = stats.NewAccounts(sh, labels)
	return sh
}

func (sh *shard) moment(t time.Time) moment { return momentOf(t, sh.of.epoch) }

// account returns where an occurrence is counted.
func (sh *shard) account(o *Occurrence) *account { return sh.accounts.Of(o.Account()) }

// selectBy sets the selector. What is pending is written all the same.
func (sh *shard) selectBy(selector *selector.Selector) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	sh.selector = selector
	for _, s := range sh.series {
		s.selected = false
	}
}

// queueIfDue marks s as queued if it should be written by now, and returns the class
// with which it must be handed to the writer.
func (sh *shard) queueIfDue(s *Series, now moment) request.Class {
	if s.queued || s.inFlight {
		return request.NoWrite
	}
	why, at := s.nextWrite(&sh.of.iv)
	if why == WaitNothing || at.After(now) {
		return request.NoWrite
	}
	if why == WaitPublish && !sh.of.publishing.take(s, now) {
		s.passOver()
		return sh.queueIfDue(s, now) // a refresh or the finish may be due as well
	}
	s.queued = true
	return s.class()
}

// expire looks at every series whose deadline has come. It returns those that
// must be written now, and what was dropped.
func (sh *shard) expire(now moment) (due []Due, dropped []Dropped, removed int) {
	for len(sh.timers) > 0 && !sh.timers[0].wake.After(now) {
		s := sh.timers[0]
		if s.tooOld(now, &sh.of.iv) {
			dropped = append(dropped, sh.drop(s, stats.TooOld)...)
			sh.unlink(s)
			removed++
			continue
		}
		if s.finished(now, &sh.of.iv) {
			sh.unlink(s)
			removed++
			continue
		}
		if class := sh.queueIfDue(s, now); class != request.NoWrite {
			due = append(due, Due{s, class})
		}
		s.wake = s.deadline(&sh.of.iv)
		if !s.wake.After(now) { // queued or in flight past its time: its answer looks again
			s.wake = now.Add(sh.of.iv.RetryFor)
		}
		heap.Fix(&sh.timers, int(s.timer))
	}
	return due, dropped, removed
}

// flush makes every unwritten series due, and f wait for them.
func (sh *shard) flush(f *Flush, now moment) (due []Due) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	for _, s := range sh.timers { // every series, in an order that a rerun repeats
		if s.unwritten() == 0 {
			continue
		}
		sh.setFlushes(s, append(sh.flushes[s], flushTarget{observed: s.observed, flush: f}))
		f.Add(1)
		s.holds = 0 // it is tried at once, whatever its back-off
		if class := sh.queueIfDue(s, now); class != request.NoWrite {
			due = append(due, Due{s, class})
		}
	}
	return due
}

// finishFlushes finishes every Flush of s whose target is reached.
func (sh *shard) finishFlushes(s *Series) {
	if !s.forced {
		return
	}
	targets := sh.flushes[s]
	for len(targets) > 0 && targets[0].observed <= s.recorded+s.rare().dropped {
		targets[0].flush.Add(-1)
		targets = targets[1:]
	}
	sh.setFlushes(s, targets)
}

// setFlushes replaces what waits for s. A series that nothing waits for is not forced.
func (sh *shard) setFlushes(s *Series, targets []flushTarget) {
	if s.forced = len(targets) > 0; s.forced {
		sh.flushes[s] = targets
		return
	}
	if delete(sh.flushes, s); len(sh.flushes) == 0 {
		sh.flushes = map[*Series][]flushTarget{} // a map never shrinks
	}
}

// link adds a new series to the map and the orders.
func (sh *shard) link(s *Series) {
	sh.series[s.key()] = s
	s.idle = notIdle
	s.wake = math.MaxInt64 // until it has an occurrence
	heap.Push(&sh.timers, s)
	if s.distinct {
		sh.groups.add(s)
	}
	if s.normal() {
		sh.normals.push(s)
	}
}

// unlink removes a series from the map and the orders.
func (sh *shard) unlink(s *Series) {
	delete(sh.series, s.key())
	if s.distinct {
		sh.groups.remove(s)
	}
	heap.Remove(&sh.timers, int(s.timer))
	if s.idle != notIdle {
		heap.Remove(&sh.idle, int(s.idle))
	}
	if s.normal() {
		sh.normals.remove(s)
	}
	s.releaseBytes()
	s.gone.Store(true)
}

// clear removes all series and returns how many there were. Unlike unlink it does not
// keep the orders in between, which costs more than the rest when there are many.
func (sh *shard) clear() (removed int) {
	removed = len(sh.timers)
	for _, s := range sh.timers {
		s.idle, s.earlier, s.later = notIdle, nil, nil // the writer may still hold s, but no other
		s.releaseBytes()
		s.gone.Store(true)
	}
	sh.series, sh.groups = map[string]*Series{}, noteGroups{}
	sh.timers, sh.idle, sh.normals = nil, nil, arrivals{}
	return removed
}

// reindex updates the orders after the state of s has changed. It returns the
// deadline if that is earlier now, else zero. A deadline that moved to later stays
// in the heap as it is: when it comes, the new one is computed.
func (sh *shard) reindex(s *Series) (earlier moment) {
	if at := s.deadline(&sh.of.iv); at.Before(s.wake) {
		s.wake, earlier = at, at
		heap.Fix(&sh.timers, int(s.timer))
	}
	switch idle := s.unwritten() == 0; {
	case idle && s.idle == notIdle:
		heap.Push(&sh.idle, s)
	case idle:
		heap.Fix(&sh.idle, int(s.idle)) // a refused series is observed all the same
	case s.idle != notIdle:
		heap.Remove(&sh.idle, int(s.idle))
	}
	sh.finishFlushes(s)
	return earlier
}
