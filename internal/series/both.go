// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"slices"
	"time"

	"github.com/eventseries/eventseries/internal/selector"
	"github.com/eventseries/eventseries/internal/stats"
)

// Both is a cache of series and another core as one. Who observes an occurrence chooses
// between the two. What a core has taken stays with it, so no switch loses anything.
type Both struct {
	*Cache
	Other Core
}

var _ Core = Both{}

// SelectBy implements [Core].
func (b Both) SelectBy(s *selector.Selector) {
	b.Cache.SelectBy(s)
	b.Other.SelectBy(s)
}

// Expire implements [Core].
func (b Both) Expire(now time.Time) (effects Effects, next time.Time) {
	effects, next = b.Cache.Expire(now)
	other, at := b.Other.Expire(now)
	effects.add(other)
	return effects, earlier(next, at)
}

// earlier returns the earlier one of two times, of which the zero time is none.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// Flush implements [Core].
func (b Both) Flush(now time.Time, f *Flush) Effects {
	effects := b.Cache.Flush(now, f)
	effects.add(b.Other.Flush(now, f))
	return effects
}

// Close implements [Core].
func (b Both) Close(reason stats.Reason) {
	b.Cache.Close(reason)
	b.Other.Close(reason)
}

// Abandon implements [Core].
func (b Both) Abandon() []Dropped { return append(b.Cache.Abandon(), b.Other.Abandon()...) }

// Snapshot implements [Core]. Each half is consistent, and so is the sum.
func (b Both) Snapshot() Snapshot {
	now, other := b.Cache.Snapshot(), b.Other.Snapshot()
	for labels, balance := range other.Balances {
		now.Of(labels).Add(balance)
	}
	now.Series += other.Series
	now.OldestPending = earlier(now.OldestPending, other.OldestPending)
	return now
}

// List implements [Core].
func (b Both) List(n int, now time.Time) (frequent, waiting []State) {
	frequent, waiting = b.Cache.List(n, now)
	_, others := b.Other.List(n, now) // only the correlator knows how often something occurred
	waiting = append(waiting, others...)
	slices.SortStableFunc(waiting, func(a, b State) int { return a.PendingSince.Compare(b.PendingSince) })
	return frequent, waiting[:min(n, len(waiting))]
}
