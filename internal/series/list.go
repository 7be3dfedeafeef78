// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"time"

	"github.com/eventseries/eventseries/internal/highest"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/selector"
	"github.com/eventseries/eventseries/internal/stats"
)

// Wait says what a series waits for.
type Wait uint8

// What a series waits for. From WaitBackoff on it is a time, which State.Until has.
const (
	WaitNothing  Wait = iota // everything is recorded
	WaitInFlight             // the answer to a write
	WaitQueued               // the writer
	WaitBackoff              // the end of a back-off of its own
	WaitPublish              // the count has doubled
	WaitRefresh              // the count is old
	WaitFinish               // the series may be over
	WaitRefused              // occurrences are dropped until it is tried again
)

// State is a copy of what matters of a series to a person who looks for a fault.
type State struct {
	Item

	Observed, Recorded, Pending, Dropped int64

	Began        time.Time // the first occurrence that the server may know of
	Last         time.Time // the last occurrence
	PendingSince time.Time // when the oldest pending occurrence was recorded, to the second; zero if none is
	Attempts     int       // writes in a row that were not acknowledged

	Wait       Wait
	Until      time.Time
	NextOp     request.Op
	RefusedFor stats.Reason // None unless it waits for WaitRefused

	selector *selector.Selector // at that time
}

// Muted reports whether the selector drops further occurrences.
func (s *State) Muted() bool {
	first := s.First()
	return !first.SelectedBy(s.selector)
}

// List returns at most n of the series with the highest counts and n of those that wait
// longest, the first of each kind first. Shards are locked one after the other, so the
// lists are of about the same moment. No lock is held for longer than a look at the
// counters of one shard takes.
func (c *Cache) List(n int, now time.Time) (frequent, waiting []State) {
	byCount, byWait := highest.New[State](n), highest.New[State](n)
	for _, sh := range c.shards {
		sh.mu.Lock()
		for _, s := range sh.timers { // every series
			if byCount.Admits(s.observed, s.arrival) {
				byCount.Add(s.observed, s.arrival, sh.state(s, now, &c.iv))
			}
			if s.unwritten() == 0 {
				continue
			}
			if wait := -int64(s.waitsFrom); byWait.Admits(wait, s.arrival) {
				byWait.Add(wait, s.arrival, sh.state(s, now, &c.iv))
			}
		}
		sh.mu.Unlock()
	}
	return byCount.Values(), byWait.Values()
}

func (sh *shard) state(s *Series, now time.Time, iv *Intervals) State {
	state := State{
		Item:     s,
		Observed: s.observed, Recorded: s.recorded, Pending: s.unwritten(), Dropped: s.rare().dropped,
		Began: time.UnixMicro(s.began), Last: time.UnixMicro(s.seen), NextOp: s.class().Op(), Attempts: int(s.attempts),
		selector: sh.selector,
	}
	if state.Pending > 0 {
		state.PendingSince = time.Unix(int64(s.waitsFrom), 0)
	}
	wait, until := s.waitsFor(iv)
	if state.Wait = wait; !until.IsZero() {
		state.Until = now.Add(until.Sub(sh.moment(now)))
	}
	if state.Wait == WaitRefused {
		state.RefusedFor = s.refusedFor
	}
	return state
}

// waitsFor returns what keeps the series from being written, and until when, if that
// is a time.
func (s *Series) waitsFor(iv *Intervals) (w Wait, until moment) {
	switch {
	case s.inFlight:
		return WaitInFlight, 0
	case s.queued:
		return WaitQueued, 0
	case s.refusedFor != stats.None:
		return WaitRefused, s.lastWrite.Add(s.retryAfter(iv))
	}
	return s.nextWrite(iv)
}
