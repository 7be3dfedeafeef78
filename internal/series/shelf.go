// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"container/heap"
	"container/list"
	"sync/atomic"
	"time"

	"github.com/eventseries/eventseries/internal/account"
)

// shelf is where the cache keeps a series: what it is queued for and at which
// place it stands in the shard's orders.
type shelf struct {
	shard    *shard
	queued   bool // waits in the writer
	inflight bool // a write is under way
	forced   bool // Flush or Drain wants it written now
	wake     time.Time
	timer    int           // index in shard.timers
	idle     int           // index in shard.idle, or notIdle
	normal   *list.Element // in shard.normals, if of type Normal
	arrival  int64
	distinct bool // counts among the notes of its family
	marks    []mark

	gone atomic.Bool // it left the cache; readable without the lock
}

const notIdle = -1

// mark says which count a Flush waits for.
type mark struct {
	target int64 // of observed
	flush  *Flush
}

// deadline returns when the shard must look at the series next.
func (s *Series) deadline(iv *Intervals) time.Time {
	if s.queued || s.inflight { // the writer has it, and Settle looks again
		return s.last.Add(iv.RetryFor)
	}
	if at, ok := s.writeAt(iv); ok {
		return at
	}
	return s.last.Add(iv.Finish)
}

// timers orders series by their next deadline: the one timer heap.
type timers []*Series

func (t timers) Len() int           { return len(t) }
func (t timers) Less(i, j int) bool { return t[i].wake.Before(t[j].wake) }
func (t timers) Swap(i, j int)      { t[i], t[j] = t[j], t[i]; t[i].timer, t[j].timer = i, j }
func (t *timers) Push(x any)        { s := x.(*Series); s.timer = len(*t); *t = append(*t, s) }
func (t *timers) Pop() any          { return pop((*[]*Series)(t)) }

// idlers orders the series that may give way, those with nothing unwritten, by
// their last occurrence.
type idlers []*Series

func (d idlers) Len() int           { return len(d) }
func (d idlers) Less(i, j int) bool { return d[i].last.Before(d[j].last) }
func (d idlers) Swap(i, j int)      { d[i], d[j] = d[j], d[i]; d[i].idle, d[j].idle = i, j }
func (d *idlers) Push(x any)        { s := x.(*Series); s.idle = len(*d); *d = append(*d, s) }
func (d *idlers) Pop() any          { s := pop((*[]*Series)(d)); s.idle = notIdle; return s }

func pop(all *[]*Series) *Series {
	last := len(*all) - 1
	s := (*all)[last]
	(*all)[last] = nil
	*all = (*all)[:last]
	return s
}

// place puts a new series on the shard's shelves.
func (sh *shard) place(s *Series, iv *Intervals) {
	sh.series[s.key] = s
	s.shard, s.idle = sh, notIdle
	s.wake = s.deadline(iv)
	heap.Push(&sh.timers, s)
	if s.key.Type == normalType {
		s.normal = sh.normals.PushBack(s)
	}
}

// remove takes a series off all shelves.
func (sh *shard) remove(s *Series) {
	delete(sh.series, s.key)
	if s.distinct {
		sh.families.leave(&s.key)
	}
	heap.Remove(&sh.timers, s.timer)
	if s.idle != notIdle {
		heap.Remove(&sh.idle, s.idle)
	}
	if s.normal != nil {
		sh.normals.Remove(s.normal)
	}
	s.shard = nil
	s.gone.Store(true)
}

// Gone tells whether the series has left the cache: nothing will come of it in
// the writer's queue. It needs no lock.
func (s *Series) Gone() bool { return s.gone.Load() }

// reshelve updates the orders after the state of s has changed. A deadline that
// moved to later is left alone: when the old one comes, the new one is computed.
func (sh *shard) reshelve(s *Series, iv *Intervals) {
	if at := s.deadline(iv); at.Before(s.wake) {
		s.wake = at
		heap.Fix(&sh.timers, s.timer)
	}
	switch idle := s.unwritten() == 0; {
	case idle && s.idle == notIdle:
		heap.Push(&sh.idle, s)
	case idle:
		heap.Fix(&sh.idle, s.idle) // a buried series may still be observed
	case s.idle != notIdle:
		heap.Remove(&sh.idle, s.idle)
	}
	sh.settleMarks(s)
}

// settleMarks tells every Flush that waited for what is accounted for by now.
func (sh *shard) settleMarks(s *Series) {
	for len(s.marks) > 0 && s.marks[0].target <= s.recorded+s.dropped {
		s.marks[0].flush.done()
		s.marks = s.marks[1:]
	}
	if len(s.marks) == 0 {
		s.marks, s.forced = nil, false
	}
}

// drop gives up everything unwritten of s for a reason.
func (sh *shard) drop(s *Series, reason account.Reason) int64 {
	dropped, unconfirmed := s.giveUp()
	sh.counters.Dropped[reason] += dropped
	sh.counters.Unconfirmed += unconfirmed
	sh.settleMarks(s)
	return dropped
}
