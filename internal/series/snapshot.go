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

// Snapshot is the state of a core at one moment.
type Snapshot struct {
	stats.Balances
	Series        int
	OldestPending time.Time // when the oldest pending occurrence was observed, to the second; zero if there is none
}

// Add adds the state of another core to s.
func (s *Snapshot) Add(other Snapshot) {
	for labels, balance := range other.Balances {
		s.Of(labels).Add(balance)
	}
	s.Series += other.Series
	s.OldestPending = stats.Earlier(s.OldestPending, other.OldestPending)
}

// Snapshot implements [Core]. It locks all shards.
func (c *Cache) Snapshot() Snapshot {
	defer c.lockAll()()
	now := Snapshot{Balances: stats.Balances{}}
	oldest := uint32(0)
	for _, sh := range c.shards {
		for _, e := range sh.all() {
			n := e.unwritten()
			e.account.Pending += n
			if n > 0 && (oldest == 0 || e.pendingSince < oldest) {
				oldest = e.pendingSince
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

// PendingIn implements [Core]. It locks one shard after the other.
func (c *Cache) PendingIn(namespace string) (n int64) {
	for _, sh := range c.shards {
		sh.mu.Lock()
		for _, e := range sh.all() {
			if e.Namespace() == namespace {
				n += e.unwritten()
			}
		}
		sh.mu.Unlock()
	}
	return n
}

// lockAll locks all shards in the order of their indices. No other code holds two of these locks,
// so there is no deadlock. The returned function unlocks all shards.
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

// State describes a series for diagnostics. events.SeriesState documents the fields.
type State struct {
	Namespace, Name           string
	Regarding                 corev1.ObjectReference
	Type, Reason, Action      string
	ReportingController, Note string

	Observed, Recorded, Pending, Dropped int64

	First, Last, PendingSince time.Time
	Attempts                  int
	WaitsFor                  Wait
	WaitsSince, WaitsUntil    time.Time
	DroppedAs                 stats.Reason
}

// NewState returns a State with the fields that follow from the first occurrence and the name of
// the Event.
func NewState(first *Occurrence, name string) State {
	return State{
		Namespace:           first.Namespace,
		Name:                name,
		Regarding:           first.Regarding.ObjectReference(),
		Type:                first.Type,
		Reason:              first.Reason,
		Action:              first.Action,
		ReportingController: first.ReportingController,
		Note:                first.Note,
	}
}

// List implements [Core]. It locks one shard after the other, so the states are from slightly
// different moments. In a full cache of the default size it holds each lock for about a
// millisecond.
func (c *Cache) List(n int, now time.Time) (frequent, waiting []State) {
	for _, sh := range c.shards {
		sh.mu.Lock()
		all := slices.Clone(sh.all())
		frequent = append(frequent, sh.lowest(n, all, now, func(e *entry) int64 { return -e.observed })...)
		all = slices.DeleteFunc(all, func(e *entry) bool { return e.unwritten() == 0 })
		waiting = append(waiting, sh.lowest(n, all, now, func(e *entry) int64 { return int64(e.pendingSince) })...)
		sh.mu.Unlock()
	}
	return frequent, waiting
}

// lowest returns the states of the n entries for which rank returns the lowest numbers, or of all
// entries if there are fewer than n. It reorders the slice entries.
func (sh *shard) lowest(n int, entries []*entry, now time.Time, rank func(*entry) int64) (states []State) {
	slices.SortFunc(entries, func(a, b *entry) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.arrival, b.arrival))
	})
	for _, e := range entries[:min(n, len(entries))] {
		states = append(states, sh.state(e, now))
	}
	return states
}

func (sh *shard) state(e *entry, now time.Time) State {
	first := e.First()
	state := NewState(&first, e.eventName(&first))
	state.Observed = e.observed
	state.Recorded = e.recorded
	state.Pending = e.unwritten()
	state.Dropped = e.extras().dropped
	state.First = time.UnixMicro(e.firstWall)
	state.Last = time.UnixMicro(e.lastWall)
	state.Attempts = int(e.attempts)
	if state.Pending > 0 {
		state.PendingSince = time.Unix(int64(e.pendingSince), 0)
	}
	why, until := sh.waitsFor(e)
	state.WaitsFor = why
	if !until.IsZero() {
		state.WaitsUntil = now.Add(until.Sub(sh.monotime(now)))
	}
	if e.inFlight {
		state.WaitsSince = e.write.Sent
	}
	switch {
	case !first.SelectedBy(sh.cache.selector.Load()):
		state.DroppedAs = stats.Unselected
	case e.refusedFor != stats.None:
		state.DroppedAs = e.refusedFor
	}
	return state
}

// waitsFor returns why e is not written yet, and the time until which it waits, if that is known.
func (sh *shard) waitsFor(e *entry) (why Wait, until monotime) {
	switch {
	case e.inFlight:
		return WaitAnswer, 0
	case e.queued:
		return WaitTurn, 0
	case e.refusedFor != stats.None:
		return WaitPause, e.retriesAt(&sh.cache.iv)
	}
	return sh.nextWrite(e)
}
