// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/internal/stats"
)

// Snapshot is the state of a cache at one moment.
type Snapshot struct {
	stats.Balances
	Series        int
	OldestPending time.Time // when the occurrence that waits longest was observed, to the second; zero if none waits
}

// Add adds what another core has.
func (s *Snapshot) Add(other Snapshot) {
	for labels, balance := range other.Balances {
		s.Of(labels).Add(balance)
	}
	s.Series += other.Series
	s.OldestPending = stats.Earlier(s.OldestPending, other.OldestPending)
}

// Snapshot returns consistent totals.
func (c *Cache) Snapshot() Snapshot {
	defer c.lockAll()()
	now := Snapshot{Balances: stats.Balances{}}
	oldest := uint32(0)
	for _, sh := range c.shards {
		for _, s := range sh.timers.Items { // every series
			n := s.unwritten()
			s.account.Pending += n
			if n > 0 && (oldest == 0 || s.waitsFrom < oldest) {
				oldest = s.waitsFrom
			}
		}
		sh.accounts.AddTo(now.Balances)
		now.Series += len(sh.series)
	}
	if oldest != 0 {
		now.OldestPending = time.Unix(int64(oldest), 0)
	}
	return now
}

// PendingIn implements [Core]. Shards are locked one after the other.
func (c *Cache) PendingIn(namespace string) (n int64) {
	for _, sh := range c.shards {
		sh.mu.Lock()
		for _, s := range sh.timers.Items { // every series
			if s.Namespace() == namespace {
				n += s.unwritten()
			}
		}
		sh.mu.Unlock()
	}
	return n
}

// lockAll locks all shards in index order. Nothing else holds two of these locks.
func (c *Cache) lockAll() (unlock func()) {
	for _, sh := range c.shards {
		sh.mu.Lock()
	}
	return func() {
		for _, sh := range c.shards {
			sh.mu.Unlock()
		}
	}
}

// What a series waits for, as [State] says it. Which of the intervals ends first is in
// WaitsUntil.
const (
	ForNothing  = ""         // everything is recorded
	ForAnswer   = "Answer"   // that to the write in flight
	ForTurn     = "Turn"     // the writer
	ForEvent    = "Event"    // a back-off of its own, in which a refused series drops occurrences
	ForInterval = "Interval" // the count is old or has doubled, or the series may be over
)

// State is a copy of what matters of a series to a person who looks for a fault. It has the
// fields of events.SeriesState, where they are described.
type State struct {
	Namespace, Name           string
	Regarding                 corev1.ObjectReference
	Type, Reason, Action      string
	ReportingController, Note string

	Observed, Recorded, Pending, Dropped int64

	First, Last, PendingSince time.Time
	Attempts                  int
	WaitsFor                  string
	WaitsSince, WaitsUntil    time.Time
	DroppedAs                 string
}

// NewState returns a state with what an item says about itself.
func NewState(item Item) (s State, first Occurrence) {
	first = item.First()
	s.Namespace, s.Name = item.EventName()
	s.Regarding = first.Regarding.ObjectReference()
	s.Type = first.Type
	s.Reason = first.Reason
	s.Action = first.Action
	s.ReportingController = first.ReportingController
	s.Note = first.Note
	return s, first
}

// List implements [Core]. Shards are locked one after the other, so the lists are of about the
// same moment. In a full cache of the default size a lock is held for a millisecond.
func (c *Cache) List(n int, now time.Time) (frequent, waiting []State) {
	for _, sh := range c.shards {
		sh.mu.Lock()
		all := slices.Clone(sh.timers.Items) // every series
		frequent = append(frequent, sh.first(n, all, now, func(s *Series) int64 { return -s.observed })...)
		all = slices.DeleteFunc(all, func(s *Series) bool { return s.unwritten() == 0 })
		waiting = append(waiting, sh.first(n, all, now, func(s *Series) int64 { return int64(s.waitsFrom) })...)
		sh.mu.Unlock()
	}
	return frequent, waiting
}

// first returns at most n of all, those with the lowest rank. It changes the order of all.
func (sh *shard) first(n int, all []*Series, now time.Time, rank func(*Series) int64) (states []State) {
	slices.SortFunc(all, func(a, b *Series) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.arrival, b.arrival))
	})
	for _, s := range all[:min(n, len(all))] {
		states = append(states, sh.state(s, now, &sh.of.iv))
	}
	return states
}

func (sh *shard) state(s *Series, now time.Time, iv *Intervals) State {
	state, first := NewState(s)
	state.Observed = s.observed
	state.Recorded = s.recorded
	state.Pending = s.unwritten()
	state.Dropped = s.rare().dropped
	state.First = time.UnixMicro(s.began)
	state.Last = time.UnixMicro(s.seen)
	state.Attempts = int(s.attempts)
	if state.Pending > 0 {
		state.PendingSince = time.Unix(int64(s.waitsFrom), 0)
	}
	waitsFor, until := s.waitsFor(iv)
	state.WaitsFor = waitsFor
	if !until.IsZero() {
		state.WaitsUntil = now.Add(until.Sub(sh.moment(now)))
	}
	if s.inFlight {
		state.WaitsSince = s.write.Sent
	}
	switch {
	case !first.SelectedBy(sh.of.selector.Load()):
		state.DroppedAs = stats.Muted.String()
	case s.refusedFor != stats.None:
		state.DroppedAs = s.refusedFor.String()
	}
	return state
}

// waitsFor returns what keeps the series from being written, and until when, if that
// is a time.
func (s *Series) waitsFor(iv *Intervals) (why string, until moment) {
	switch {
	case s.inFlight:
		return ForAnswer, 0
	case s.queued:
		return ForTurn, 0
	case s.refusedFor != stats.None:
		return ForEvent, s.lastWrite.Add(s.retryAfter(iv))
	}
	return s.nextWrite(iv)
}
