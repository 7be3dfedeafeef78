// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"time"

	"github.com/eventseries/eventseries/internal/stats"
)

// Snapshot is the state of a cache at one moment.
type Snapshot struct {
	stats.Balance
	Series        int
	OldestPending time.Time // when the occurrence that waits longest was observed, to the second; zero if none waits
}

// Snapshot returns consistent totals.
func (c *Cache) Snapshot() (now Snapshot) {
	defer c.lockAll()()
	var oldest uint32
	for _, sh := range c.shards {
		total := sh.accounts.Total()
		now.Add(&total)
		for _, s := range sh.timers { // every series
			if n := s.unwritten(); n > 0 {
				now.Pending += n
				if oldest == 0 || s.waitsFrom < oldest {
					oldest = s.waitsFrom
				}
			}
		}
		now.Series += len(sh.series)
	}
	if oldest != 0 {
		now.OldestPending = time.Unix(int64(oldest), 0)
	}
	return now
}

// Balances returns what Snapshot does, by label set.
func (c *Cache) Balances() stats.Balances {
	defer c.lockAll()()
	balances := stats.Balances{}
	for _, sh := range c.shards {
		pending := map[*account]int64{}
		for _, s := range sh.timers { // every series
			pending[s.account] += s.unwritten()
		}
		for labels, account := range sh.accounts.All() {
			b := balances.Of(labels)
			b.Add(&account.Counters)
			b.Pending += pending[account]
		}
	}
	return balances
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
