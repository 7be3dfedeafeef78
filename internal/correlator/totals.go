// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package correlator

import (
	"container/list"
	"time"

	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
)

// Snapshot implements [series.Core]. Series is how many objects something waits for.
func (c *Core) Snapshot() series.Snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := series.Snapshot{Balances: stats.Balances{}, Series: len(c.queues)}
	for _, age := range []*list.List{c.normals, c.warnings} {
		for e := age.Front(); e != nil; e = e.Next() {
			o := e.Value.(*occurrence)
			if o.account.Pending++; now.OldestPending.IsZero() || o.at.Before(now.OldestPending) {
				now.OldestPending = o.at
			}
		}
	}
	c.accounts.AddTo(now.Balances)
	return now
}

// List returns the first occurrences of the n objects that wait longest. How often
// something occurred only the correlator knows.
func (c *Core) List(n int, _ time.Time) (_, waiting []series.State) {
	c.mu.Lock()
	defer c.mu.Unlock()
	normal, warning := c.normals.Front(), c.warnings.Front()
	for len(waiting) < n && (normal != nil || warning != nil) {
		next := &normal // the older one of both
		if normal == nil || warning != nil && warning.Value.(*occurrence).number < normal.Value.(*occurrence).number {
			next = &warning
		}
		o := (*next).Value.(*occurrence)
		*next = (*next).Next()
		if queue := c.queues[o.key]; queue.Front() == o.inQueue {
			waiting = append(waiting, o.state(int64(queue.Len())))
		}
	}
	return nil, waiting
}

// state describes o and what waits behind it.
func (o *occurrence) state(pending int64) series.State {
	state, _ := series.NewState(o)
	state.Observed, state.Pending = pending, pending
	state.First, state.Last, state.PendingSince = o.at, o.at, o.at
	state.WaitsFor = series.ForTurn
	if o.write != nil {
		state.Attempts = o.write.Attempt
	}
	if o.writing {
		state.WaitsFor = series.ForAnswer
	}
	return state
}
