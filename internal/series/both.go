// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"slices"
	"sync/atomic"
	"time"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/selector"
	"github.com/eventseries/eventseries/internal/stats"
)

// Both is a cache of series and another core as one. New occurrences go to the other core
// while Switched says so. What a core has taken stays with it, so a switch loses nothing.
type Both struct {
	*Cache
	Other    Core
	Switched *atomic.Bool
}

var _ Core = Both{}

func (b Both) current() Core {
	if b.Switched.Load() {
		return b.Other
	}
	return b.Cache
}

// of returns the core that has made an item.
func (b Both) of(item Item) Core {
	if _, ok := item.(*Series); ok {
		return b.Cache
	}
	return b.Other
}

// Observe implements [Core].
func (b Both) Observe(o *Occurrence, key PackedKey) Result { return b.current().Observe(o, key) }

// Drop implements [Core].
func (b Both) Drop(labels stats.Labels, reason stats.Reason) stats.Reason {
	return b.current().Drop(labels, reason)
}

// SelectBy implements [Core].
func (b Both) SelectBy(s *selector.Selector) {
	b.Cache.SelectBy(s)
	b.Other.SelectBy(s)
}

// Begin implements [Core].
func (b Both) Begin(item Item, now time.Time) (*Write, Effects) { return b.of(item).Begin(item, now) }

// Settle implements [Core].
func (b Both) Settle(
	item Item, w *Write, v request.Verdict, stored *eventsv1.Event, now time.Time,
) (next request.Class, _ Effects) {
	return b.of(item).Settle(item, w, v, stored, now)
}

// RefuseQueued implements [Core].
func (b Both) RefuseQueued(item Item, reason stats.Reason, now time.Time) Effects {
	return b.of(item).RefuseQueued(item, reason, now)
}

// Expire implements [Core].
func (b Both) Expire(now time.Time) (effects Effects, next time.Time) {
	effects, next = b.Cache.Expire(now)
	other, at := b.Other.Expire(now)
	effects.add(other)
	if next.IsZero() || !at.IsZero() && at.Before(next) {
		next = at
	}
	return effects, next
}

// PokeInto implements [Core].
func (b Both) PokeInto(ch chan struct{}) {
	b.Cache.PokeInto(ch)
	b.Other.PokeInto(ch)
}

// Flush implements [Core].
func (b Both) Flush(now time.Time, f *Flush) Effects {
	effects := b.Cache.Flush(now, f)
	effects.add(b.Other.Flush(now, f))
	return effects
}

// Forget implements [Core].
func (b Both) Forget(f *Flush) {
	b.Cache.Forget(f)
	b.Other.Forget(f)
}

// Close implements [Core].
func (b Both) Close() {
	b.Cache.Close()
	b.Other.Close()
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
	if at := other.OldestPending; now.OldestPending.IsZero() || !at.IsZero() && at.Before(now.OldestPending) {
		now.OldestPending = at
	}
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
