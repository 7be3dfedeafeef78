// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"container/heap"
	"sync/atomic"
	"time"

	"github.com/eventseries/eventseries/internal/stats"
)

// shelf is where the cache keeps a series: what it is queued for and at which
// place it stands in the shard's orders.
type shelf struct {
	shard    *shard      // where it is, was, or is going to be
	gone     atomic.Bool // it left the cache; readable without the lock
	queued   bool        // waits in the writer
	inflight bool        // a write is under way
	forced   bool        // Flush or Drain wants it written now
	distinct bool        // counts among the notes of its family
	timer    int32       // index in shard.timers
	idle     int32       // index in shard.idle, or notIdle
	wake     time.Time
	arrival  int64
	earlier  *Series // the one before it in shard.normals
	later    *Series
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
func (t timers) Swap(i, j int)      { t[i], t[j] = t[j], t[i]; t[i].timer, t[j].timer = int32(i), int32(j) }
func (t *timers) Push(x any)        { s := x.(*Series); s.timer = int32(len(*t)); *t = append(*t, s) }
func (t *timers) Pop() any          { return pop((*[]*Series)(t)) }

// idlers orders the series that may give way, those with nothing unwritten, by
// their last occurrence.
type idlers []*Series

func (d idlers) Len() int           { return len(d) }
func (d idlers) Less(i, j int) bool { return d[i].last.Before(d[j].last) }
func (d idlers) Swap(i, j int)      { d[i], d[j] = d[j], d[i]; d[i].idle, d[j].idle = int32(i), int32(j) }
func (d *idlers) Push(x any)        { s := x.(*Series); s.idle = int32(len(*d)); *d = append(*d, s) }
func (d *idlers) Pop() any          { s := pop((*[]*Series)(d)); s.idle = notIdle; return s }

func pop(all *[]*Series) *Series {
	last := len(*all) - 1
	s := (*all)[last]
	(*all)[last] = nil
	*all = (*all)[:last]
	return s
}

// arrivals is a list of series in the order in which they came. The links are in
// the series, so that it costs no allocation.
type arrivals struct{ first, last *Series }

func (a *arrivals) push(s *Series) {
	s.earlier, a.last = a.last, s
	if s.earlier == nil {
		a.first = s
	} else {
		s.earlier.later = s
	}
}

func (a *arrivals) remove(s *Series) {
	if s.earlier == nil {
		a.first = s.later
	} else {
		s.earlier.later = s.later
	}
	if s.later == nil {
		a.last = s.earlier
	} else {
		s.later.earlier = s.earlier
	}
	s.earlier, s.later = nil, nil
}

// place puts a new series on the shard's shelves.
func (sh *shard) place(s *Series, iv *Intervals) {
	sh.series[s.id()] = s
	s.idle = notIdle
	s.wake = s.deadline(iv)
	heap.Push(&sh.timers, s)
	if s.normal {
		sh.normals.push(s)
	}
}

// remove takes a series off all shelves.
func (sh *shard) remove(s *Series) {
	delete(sh.series, s.id())
	if s.distinct {
		sh.families.leave(s)
	}
	heap.Remove(&sh.timers, int(s.timer))
	if s.idle != notIdle {
		heap.Remove(&sh.idle, int(s.idle))
	}
	if s.normal {
		sh.normals.remove(s)
	}
	s.giveRoom()
	s.gone.Store(true)
}

// Gone tells whether the series has left the cache: nothing will come of it in
// the writer's queue. It needs no lock.
func (s *Series) Gone() bool { return s.gone.Load() }

// reshelve updates the orders after the state of s has changed. It returns the
// deadline if that moved to earlier, else zero. One that moved to later is left
// alone: when the old one comes, the new one is computed.
func (sh *shard) reshelve(s *Series, iv *Intervals) (earlier time.Time) {
	if at := s.deadline(iv); at.Before(s.wake) {
		s.wake, earlier = at, at
		heap.Fix(&sh.timers, int(s.timer))
	}
	switch idle := s.unwritten() == 0; {
	case idle && s.idle == notIdle:
		heap.Push(&sh.idle, s)
	case idle:
		heap.Fix(&sh.idle, int(s.idle)) // a buried series may still be observed
	case s.idle != notIdle:
		heap.Remove(&sh.idle, int(s.idle))
	}
	sh.settleMarks(s)
	return earlier
}

// settleMarks tells every Flush that waited for what is accounted for by now.
func (sh *shard) settleMarks(s *Series) {
	if !s.forced {
		return
	}
	marks := sh.marks[s]
	for len(marks) > 0 && marks[0].target <= s.recorded+s.dropped {
		marks[0].flush.done()
		marks = marks[1:]
	}
	sh.setMarks(s, marks)
}

// setMarks replaces what waits for s. Nothing forces a series that nobody waits for.
func (sh *shard) setMarks(s *Series, marks []mark) {
	if s.forced = len(marks) > 0; s.forced {
		sh.marks[s] = marks
	} else {
		delete(sh.marks, s)
	}
}

// drop gives up everything unwritten of s for a reason.
func (sh *shard) drop(s *Series, reason stats.Reason) int64 {
	dropped, unconfirmed := s.giveUp()
	sh.counters.Dropped[reason] += dropped
	sh.counters.Unconfirmed += unconfirmed
	sh.settleMarks(s)
	return dropped
}
