// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"container/heap"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/selector"
	"github.com/eventseries/eventseries/internal/stats"
)

const normalType = corev1.EventTypeNormal

// shard is a part of the cache under one lock. All series about one object are
// in the same shard.
type shard struct {
	epoch    time.Time          // of all moments; it never changes
	mu       sync.Mutex         // guards the rest and every series in it
	series   map[string]*Series // by key
	groups   noteGroups
	timers   timers
	idle     idlers
	normals  arrivals // the series of type Normal
	flushes  map[*Series][]flushTarget
	closed   bool // Drain has begun
	accounts stats.Accounts[*shard]
	newcomer account // of series on their way in; it stays empty

	selector        *selector.Selector
	limit           *objectLimit  // nil for none
	publishing      *publishLimit // nil for none
	annotationBytes *atomic.Int64 // what all shards have left for annotations

	_ [128]byte // two cache lines: cores that record about different objects share none
}

// account has the counters of the series with the same labels in one shard.
type account = stats.Account[*shard]

func newShard(epoch time.Time, annotationBytes *atomic.Int64, labels *stats.LabelSets) *shard {
	sh := &shard{
		epoch: epoch, series: map[string]*Series{}, groups: noteGroups{}, flushes: map[*Series][]flushTarget{},
		annotationBytes: annotationBytes,
	}
	sh.newcomer.Owner = sh
	sh.accounts = stats.NewAccounts(sh, labels)
	return sh
}

func (sh *shard) moment(t time.Time) moment { return momentOf(t, sh.epoch) }

// account returns where an occurrence is counted.
func (sh *shard) account(o *Occurrence) *account { return sh.accounts.Of(o.Account()) }

// observe adds an occurrence to its series, if there is one.
func (sh *shard) observe(key packedKey, o *Occurrence, iv *Intervals) Result {
	if sh.closed {
		sh.account(o).Drop(stats.Stopped, 1)
		return Result{Dropped: stats.Stopped}
	}
	s := sh.find(key, o)
	if (s == nil || !s.selected) && !sh.selects(s, o) {
		sh.account(o).Drop(stats.Muted, 1)
		return Result{Dropped: stats.Muted}
	}
	now := sh.moment(o.At)
	if s == nil || s.finished(now, iv) || s.superseded(now, iv) {
		return sh.missing(s, o, now, iv)
	}
	leftOut := s.observe(o, now, iv)
	s.account.Observe(o.Folded)
	if s.refusedFor != stats.None {
		s.account.Dropped[s.refusedFor]++
	}
	r := Result{Dropped: s.refusedFor, LeftOut: leftOut, Folded: o.Folded, Series: s, Count: s.observed}
	if s.mayAdvanceDeadline() {
		r.Enqueue = sh.queueIfDue(s, now, iv)
		r.wake = sh.reindex(s, iv)
	}
	return r
}

// selects reports whether the selector lets an occurrence through. It is asked once for
// a series; what it mutes has none, and so takes no memory.
func (sh *shard) selects(s *Series, o *Occurrence) bool {
	if !o.SelectedBy(sh.selector) {
		return false
	}
	if s != nil {
		s.selected = true
	}
	return true
}

// selectBy sets the selector. What is pending is written all the same.
func (sh *shard) selectBy(selector *selector.Selector) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	sh.selector = selector
	for _, s := range sh.series {
		s.selected = false
	}
}

// find returns the series that an occurrence belongs to, nil if there is none.
func (sh *shard) find(key packedKey, o *Occurrence) *Series {
	s := sh.series[string(key.text)]
	if s == nil && o.DistinctNotes > 0 {
		s = sh.series[sh.groups.overflow(key.text[:key.base], o.DistinctNotes)]
	}
	return s
}

// insert adds the series of a first occurrence, whose slot is reserved. The slot is
// not used if another caller was faster, the cache was closed, or a finished or
// superseded series of the same key leaves its own.
func (sh *shard) insert(key packedKey, s *Series, o *Occurrence, iv *Intervals) (r Result, used bool) {
	if r = sh.observe(key, o, iv); !r.Missing || r.limited {
		return r, false
	}
	former, now := r.former, sh.moment(o.At)
	if former != nil {
		s.inherit(former, now, iv)
		sh.unlink(former)
	}
	s.observe(&Occurrence{At: o.At}, now, iv) // the rest is in it already
	s.account = sh.account(o)
	s.account.Observe(o.Folded)
	if sh.limit != nil && !o.Folded {
		sh.limit.take(o, now)
	}
	s.queued, s.selected = true, true
	sh.link(s, iv)
	if s.distinct = o.DistinctNotes > 0; s.distinct {
		sh.groups.add(s)
	}
	return Result{Folded: o.Folded, Series: s, Count: s.observed, Enqueue: s.class(), wake: s.wake}, former == nil
}

// insertFull drops an occurrence for which there is no slot, unless another
// caller has inserted its series or Drain has begun.
func (sh *shard) insertFull(key packedKey, o *Occurrence, iv *Intervals) Result {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	r := sh.observe(key, o, iv)
	if r.Missing {
		sh.account(o).Drop(stats.CacheFull, 1)
		r = Result{Dropped: stats.CacheFull}
	}
	return r
}

// queueIfDue marks s as queued if it should be written by now, and returns the class
// with which it must be handed to the writer.
func (sh *shard) queueIfDue(s *Series, now moment, iv *Intervals) request.Class {
	if s.queued || s.inFlight {
		return request.NoWrite
	}
	why, at := s.nextWrite(iv)
	if why == WaitNothing || at.After(now) {
		return request.NoWrite
	}
	if why == WaitPublish && !sh.publishing.take(s, now) {
		s.passOver()
		return sh.queueIfDue(s, now, iv) // a refresh or the finish may be due as well
	}
	s.queued = true
	return s.class()
}

// settle changes the state of s by the answer to w.
func (sh *shard) settle(s *Series, w *Write, v request.Verdict, stored *eventsv1.Event, now time.Time) []Dropped {
	switch v.Action {
	case request.Stored:
		if w.Op == request.Create {
			s.account.Creates++
		} else {
			s.account.Patches++
		}
		switch {
		case w.ReadVersion && s.continuity() != nil:
			s.look(stored, now)
			return nil
		case w.ReadVersion:
			s.ackVersion(versionOf(stored))
			return nil
		}
		s.account.Recorded += s.ack(w, v, versionOf(stored), sh.moment(now))
		s.waitsFrom = uint32(now.Unix()) // what is unwritten came while w was under way
		if c := s.continuity(); c != nil {
			c.names.remember(s, w.Event.ReportingInstance)
		}
		return nil
	case request.Drop:
		return sh.refuse(s, v.Reason, now)
	}
	s.account.Retries++
	switch {
	case v.Action == request.Recreate:
		s.expire()
	case v.Action == request.Resend && w.Op == request.Create:
		s.meet()
	case v.Action == request.Resend:
		s.conflict(sh.moment(now))
	default:
		s.fail(w, v.Ambiguous)
		// What fails twice in a row may be what is wrong, and not its namespace.
		if v.Hold || v.Gate == request.Namespace && s.attempts > 1 {
			s.hold(sh.moment(now))
		}
	}
	return nil
}

// refuse drops what is unwritten and makes later occurrences count under the same
// reason without a write: a hot loop with an event that is never accepted costs a
// few requests an hour, not one per occurrence. Now and then an occurrence is tried,
// since the cause of a refusal may end: a webhook that was not ready, a namespace
// that is created again.
func (sh *shard) refuse(s *Series, reason stats.Reason, now time.Time) []Dropped {
	s.refuse(reason, sh.moment(now))
	return sh.drop(s, reason)
}

// drop drops everything unwritten of s.
func (sh *shard) drop(s *Series, reason stats.Reason) []Dropped {
	n, unconfirmed := s.dropUnwritten()
	s.account.Dropped[reason] += n
	s.account.Unconfirmed += unconfirmed
	sh.finishFlushes(s)
	if n == 0 {
		return nil
	}
	return []Dropped{{Item: s, Reason: reason, Occurrences: n, Unconfirmed: unconfirmed}}
}

// expire looks at every series whose deadline has come. It returns those that
// must be written now, and what was dropped.
func (sh *shard) expire(now moment, iv *Intervals) (due []Due, dropped []Dropped, removed int) {
	for len(sh.timers) > 0 && !sh.timers[0].wake.After(now) {
		s := sh.timers[0]
		if s.tooOld(now, iv) {
			dropped = append(dropped, sh.drop(s, stats.TooOld)...)
			sh.unlink(s)
			removed++
			continue
		}
		if s.finished(now, iv) {
			sh.unlink(s)
			removed++
			continue
		}
		if class := sh.queueIfDue(s, now, iv); class != request.NoWrite {
			due = append(due, Due{s, class})
		}
		s.wake = s.deadline(iv)
		if !s.wake.After(now) { // queued or in flight past its time: its answer looks again
			s.wake = now.Add(iv.RetryFor)
		}
		heap.Fix(&sh.timers, int(s.timer))
	}
	return due, dropped, removed
}

// flush makes every unwritten series due, and f wait for them.
func (sh *shard) flush(f *Flush, now moment, iv *Intervals) (due []Due) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	for _, s := range sh.timers { // every series, in an order that a rerun repeats
		if s.unwritten() == 0 {
			continue
		}
		sh.setFlushes(s, append(sh.flushes[s], flushTarget{observed: s.observed, flush: f}))
		f.Add(1)
		s.holds = 0 // it is tried at once, whatever its back-off
		if class := sh.queueIfDue(s, now, iv); class != request.NoWrite {
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
	for len(targets) > 0 && targets[0].observed <= s.recorded+s.dropped() {
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
func (sh *shard) link(s *Series, iv *Intervals) {
	sh.series[s.key()] = s
	s.idle = notIdle
	s.wake = s.deadline(iv)
	heap.Push(&sh.timers, s)
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
func (sh *shard) reindex(s *Series, iv *Intervals) (earlier moment) {
	if at := s.deadline(iv); at.Before(s.wake) {
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
