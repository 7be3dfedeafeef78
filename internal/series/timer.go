// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"math"
	"time"
)

// Expire looks at all deadlines that have come. It returns the series to hand
// to the writer, what was given up as too old, and when to call again; next is
// zero when no deadline is known. Poked tells of earlier ones.
func (c *Cache) Expire(now time.Time) (due []Due, given []Given, next time.Time) {
	// From here until the new sleep is known, every deadline pokes.
	c.sleep.Store(math.MaxInt64)
	for _, sh := range c.shards {
		sh.mu.Lock()
		d, g, removed := sh.expire(now, &c.iv)
		if len(sh.timers) > 0 && (next.IsZero() || sh.timers[0].wake.Before(next)) {
			next = sh.timers[0].wake
		}
		sh.mu.Unlock()
		due, given = append(due, d...), append(given, g...)
		c.size.Add(int64(-removed))
	}
	due = append(due, c.sweep(now)...)
	if c.size.Load() >= c.tight() {
		if sweep := now.Add(idleBeforeEviction); next.IsZero() || sweep.Before(next) {
			next = sweep
		}
	}
	if !next.IsZero() {
		c.sleep.Store(int64(next.Sub(now)))
	}
	return due, given, next
}

// Poked receives when a deadline became earlier than Expire said.
func (c *Cache) Poked() <-chan struct{} { return c.poke }

func (c *Cache) pokeTimer() {
	select {
	case c.poke <- struct{}{}:
	default:
	}
}
