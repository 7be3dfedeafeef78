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

// Snapshot is a copy of the state of an engine. Package events converts it to an
// events.Snapshot.
type Snapshot struct {
	// Time is the time of the snapshot.
	Time time.Time
	// Began is when the engine was created.
	Began time.Time
	// Started is true if the engine was started or has ended.
	Started bool
	// Totals contains the summed counters of all cores.
	Totals series.Snapshot
	// Frequent lists the series with the highest counts, in descending order.
	Frequent []series.State
	// Waiting lists the series with pending occurrences, beginning with the one that has waited
	// longest.
	Waiting []series.State
	// Writer is the state of the writer.
	Writer writer.State
	// Selector is the text that was last passed to SetSelector, or empty if all occurrences are
	// selected.
	Selector string
}

// Snapshot returns the state of the engine, with at most n series in each of the two lists. It
// visits every series.
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

// WatcherDropped returns the number of occurrences that watchers have missed. An occurrence that
// several watchers have missed is counted once for each of them.
func (e *Engine) WatcherDropped() int64 { return e.watchers.Dropped() }
