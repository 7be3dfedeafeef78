// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"time"

	"github.com/eventseries/eventseries/internal/stats"
)

// Snapshot is the state of a cache at one moment.
type Snapshot struct {
	stats.Balances
	Series        int
	OldestPending time.Time // when the occurrence that waits longest was observed, to the second; zero if none waits
}

// Snapshot returns consistent totals.
func (c *Cache) Snapshot() Snapshot {
	defer c.lockAll()()
	now, oldest := Snapshot{Balances: stats.Balances{}}, uint32(0)
	for _, sh := range c.shards {
		for _, s := range sh.timers.Items { // every series
			n := s.unwritten()
			if s.account.Pending += n; n > 0 && (oldest == 0 || s.waitsFrom < oldest) {
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
