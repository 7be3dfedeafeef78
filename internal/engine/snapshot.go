// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"cmp"
	"slices"
	"time"

	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/writer"
)

// Snapshot is a copy of what an engine holds.
type Snapshot struct {
	Time     time.Time
	Began    time.Time
	Started  bool // or ended
	Totals   series.Snapshot
	Frequent []series.State // the series with the highest counts, the highest first
	Waiting  []series.State // the series with something pending, the longest wait first
	Writer   writer.State
	Selector string
}

// Snapshot returns what the engine holds: all accounts, and at most n series of each kind. Its cost
// grows with the number of series.
func (e *Engine) Snapshot(n int) Snapshot {
	s := Snapshot{
		Time:    e.config.Clock.Now(),
		Began:   e.began,
		Started: e.life.State() != broadcast.NotStarted,
		Totals:  e.Totals(),
	}
	e.life.During(func(broadcast.State) { s.Selector = e.selector.String() })
	for _, core := range e.cores {
		frequent, waiting := core.List(n, s.Time)
		s.Frequent = append(s.Frequent, frequent...)
		s.Waiting = append(s.Waiting, waiting...)
	}
	slices.SortStableFunc(s.Frequent, func(a, b series.State) int {
		return cmp.Or(cmp.Compare(b.Observed, a.Observed), a.First.Compare(b.First))
	})
	slices.SortStableFunc(s.Waiting, func(a, b series.State) int {
		return cmp.Or(a.PendingSince.Compare(b.PendingSince), a.First.Compare(b.First))
	})
	s.Frequent = s.Frequent[:min(n, len(s.Frequent))]
	s.Waiting = s.Waiting[:min(n, len(s.Waiting))]
	s.Writer = e.writer.Inspect()
	return s
}

// WatcherDropped returns how many occurrences did not reach a watcher.
func (e *Engine) WatcherDropped() int64 { return e.watchers.Dropped() }
