// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"container/heap"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

const normalType = corev1.EventTypeNormal

// shard is a part of the cache under one lock. All series about one object are
// in the same shard.
type shard struct {
	mu       sync.Mutex         // guards the rest and every series in it
	series   map[string]*Series // by id
	families families
	timers   timers
	idle     idlers
	normals  arrivals           // the series of type Normal
	marks    map[*Series][]mark // of those that a Flush waits for
	closed   bool               // Drain has begun
	room     *atomic.Int64      // bytes that all shards have left for annotations
	counters stats.Counters

	_ [128]byte // two cache lines: cores that record about different objects share none
}

func newShard(room *atomic.Int64) *shard {
	return &shard{series: map[string]*Series{}, families: families{}, marks: map[*Series][]mark{}, room: room}
}

// observe folds an occurrence into the series of id, if there is one.
func (sh *shard) observe(id packedKey, o *Occurrence, iv *Intervals) Result {
	if sh.closed {
		sh.counters.Refuse(stats.Stopped, 1)
		return Result{Dropped: stats.Stopped}
	}
	s := sh.find(id, o)
	if s == nil || s.finished(o.At, iv) || s.superseded(o.At, iv) {
		return Result{Missing: true}
	}
	return sh.fold(s, o, iv)
}

// find returns the series that an occurrence belongs to, nil if there is none.
func (sh *shard) find(id packedKey, o *Occurrence) *Series {
	s := sh.series[string(id.text)]
	if s == nil && o.DistinctNotes > 0 {
		s = sh.series[sh.families.adopt(id.text[:id.base], o.DistinctNotes)]
	}
	return s
}

func (sh *shard) fold(s *Series, o *Occurrence, iv *Intervals) Result {
	leftOut := s.observe(o, iv)
	sh.counters.Observed++
	if s.tombstone != stats.None {
		sh.counters.Dropped[s.tombstone]++
	}
	r := Result{Dropped: s.tombstone, LeftOut: leftOut, Series: s}
	if s.turning() {
		r.Enqueue = sh.queueIfDue(s, o.At, iv)
		r.wake = sh.reshelve(s, iv)
	}
	return r
}

// insert adds the series of a first occurrence, whose slot is reserved. It is
// not used when another caller was faster, the cache was closed, or a series of
// the same key leaves its own slot, being finished or superseded.
func (sh *shard) insert(id packedKey, s *Series, o *Occurrence, iv *Intervals) (r Result, used bool) {
	if r = sh.observe(id, o, iv); !r.Missing {
		return r, false
	}
	old := sh.find(id, o)
	if old != nil {
		s.succeed(old, o.At, iv)
		sh.remove(old)
	}
	s.observe(&Occurrence{At: o.At}, iv) // the rest is in it already
	sh.counters.Observed++
	s.queued = true
	sh.place(s, iv)
	if s.distinct = o.DistinctNotes > 0; s.distinct {
		sh.families.join(s)
	}
	return Result{Series: s, Enqueue: request.Create, wake: s.wake}, old == nil
}

// queueIfDue marks s as queued if it wants to be written by now, and returns
// with which operation it must be handed to the writer (zero: not now).
func (sh *shard) queueIfDue(s *Series, now time.Time, iv *Intervals) request.Op {
	if s.queued || s.inflight {
		return 0
	}
	if at, ok := s.writeAt(iv); !ok || at.After(now) {
		return 0
	}
	s.queued = true
	return s.op()
}

// op is what the next write of s does.
func (s *Series) op() request.Op {
	if s.exists {
		return request.Patch
	}
	return request.Create
}

// expire looks at every series whose deadline has come. It returns those that
// must be written now, and what was given up.
func (sh *shard) expire(now time.Time, iv *Intervals) (due []Due, given []Given, removed int) {
	for len(sh.timers) > 0 && !sh.timers[0].wake.After(now) {
		s := sh.timers[0]
		switch {
		case s.tooOld(now, iv):
			if n := sh.drop(s, stats.TooOld); n > 0 {
				given = append(given, newGiven(s, stats.TooOld, n))
			}
			sh.remove(s)
			removed++
			continue
		case s.finished(now, iv):
			sh.remove(s)
			removed++
			continue
		}
		if op := sh.queueIfDue(s, now, iv); op != 0 {
			due = append(due, Due{s, op})
		}
		s.wake = s.deadline(iv)
		if !s.wake.After(now) { // queued or in flight past its time: its answer looks again
			s.wake = now.Add(iv.RetryFor)
		}
		heap.Fix(&sh.timers, int(s.timer))
	}
	return due, given, removed
}
