// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import "sync/atomic"

// cacheEntry is the cache's part of a series: whether the writer has it, and its
// place in the orders of its shard.
type cacheEntry struct {
	account  *account    // nil for a single
	gone     atomic.Bool // it left the cache; readable without the lock
	queued   bool        // waits in the writer
	inFlight bool        // a write is under way
	forced   bool        // Flush or Drain wants it written now
	distinct bool        // it is in a noteGroup
	timer    int32       // index in shard.timers
	idle     int32       // index in shard.idle, or notIdle
	wake     moment      // when the shard looks at it next
	arrival  int64       // in the order of all series
	earlier  *Series     // the one before it in shard.normals
	later    *Series
}

const notIdle = -1

// Gone reports whether the series has left the cache, so that the writer need not
// keep it. It needs no lock.
func (s *Series) Gone() bool { return s.gone.Load() }

// deadline returns when the shard must look at the series next.
func (s *Series) deadline(iv *Intervals) moment {
	if s.queued || s.inFlight { // the writer has it, and Settle looks again
		return s.last.Add(iv.RetryFor)
	}
	if at, ok := s.writeAt(iv); ok {
		return at
	}
	return s.last.Add(iv.Finish)
}

// timers orders series by their next deadline.
type timers []*Series

func (t timers) Len() int           { return len(t) }
func (t timers) Less(i, j int) bool { return t[i].wake.Before(t[j].wake) }
func (t timers) Swap(i, j int)      { t[i], t[j] = t[j], t[i]; t[i].timer, t[j].timer = int32(i), int32(j) }
func (t *timers) Push(x any)        { s := x.(*Series); s.timer = int32(len(*t)); *t = append(*t, s) }
func (t *timers) Pop() any          { return pop((*[]*Series)(t)) }

// idlers orders the series that may be evicted, those with nothing unwritten, by
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
// the series, so it costs no allocation.
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

// noteGroup counts the series that differ in nothing but their note.
type noteGroup struct {
	members int
	newest  string // the key of the member that was added last
}

// noteGroups has the groups by the key without its note. Only series that notes
// tell apart are in a group.
type noteGroups map[string]*noteGroup

// overflow returns the key of the series that takes an occurrence whose note has no
// series: the newest member's, or none while the group has fewer members than limit.
func (g noteGroups) overflow(base []byte, limit int) string {
	if group := g[string(base)]; group != nil && group.members >= limit {
		return group.newest
	}
	return ""
}

func (g noteGroups) add(s *Series) {
	group := g[s.base()]
	if group == nil {
		group = &noteGroup{}
		g[s.base()] = group
	}
	group.members++
	group.newest = s.key()
}

func (g noteGroups) remove(s *Series) {
	group := g[s.base()]
	if group.members--; group.members == 0 {
		delete(g, s.base())
	}
}
