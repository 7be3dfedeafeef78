// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"sync/atomic"
	"time"

	"github.com/eventseries/eventseries/internal/stats"
)

// Flush waits until what was unwritten when it was made is accounted for.
type Flush struct {
	remaining atomic.Int64
	finished  chan struct{}
}

func newFlush() *Flush {
	f := &Flush{finished: make(chan struct{})}
	f.remaining.Store(1) // held by its maker, so that it cannot finish early
	return f
}

func (f *Flush) done() {
	if f.remaining.Add(-1) == 0 {
		close(f.finished)
	}
}

// Done is closed when everything is recorded or dropped.
func (f *Flush) Done() <-chan struct{} { return f.finished }

// Remaining is how many series are still waited for.
func (f *Flush) Remaining() int64 { return f.remaining.Load() }

// Flush makes every unwritten series due now. It returns those to hand to the
// writer and what to wait for; Forget must follow if the wait is given up.
func (c *Cache) Flush(now time.Time) (due []Due, f *Flush) {
	f = newFlush()
	for _, sh := range c.shards {
		sh.mu.Lock()
		for _, s := range sh.timers { // every series, in an order that a rerun repeats
			if s.unwritten() == 0 {
				continue
			}
			sh.setMarks(s, append(sh.marks[s], mark{target: s.observed, flush: f}))
			f.remaining.Add(1)
			if op := sh.queueIfDue(s, now, &c.iv); op != 0 {
				due = append(due, Due{s, op})
			}
		}
		sh.mu.Unlock()
	}
	f.done()
	return due, f
}

// Forget removes what is left of f, so that flushes which time out while a
// server is down leave nothing behind.
func (c *Cache) Forget(f *Flush) {
	for _, sh := range c.shards {
		sh.mu.Lock()
		for s, marks := range sh.marks {
			kept := marks[:0]
			for _, m := range marks {
				if m.flush != f {
					kept = append(kept, m)
				}
			}
			sh.setMarks(s, kept)
		}
		sh.mu.Unlock()
	}
}

// Close makes every later occurrence count as Stopped.
func (c *Cache) Close() {
	for _, sh := range c.shards {
		sh.mu.Lock()
		sh.closed = true
		sh.mu.Unlock()
	}
}

// Abandon gives up all that is unwritten, in flight or not, and empties the
// cache. Answers that come later change nothing.
func (c *Cache) Abandon() (given []Given, unconfirmed int64) {
	for _, sh := range c.shards {
		sh.mu.Lock()
		before := sh.counters.Unconfirmed
		for len(sh.timers) > 0 {
			s := sh.timers[0]
			if n := sh.drop(s, stats.Abandoned); n > 0 {
				given = append(given, newGiven(s, stats.Abandoned, n))
			}
			sh.remove(s)
			c.size.Add(-1)
		}
		unconfirmed += sh.counters.Unconfirmed - before
		sh.mu.Unlock()
	}
	return given, unconfirmed
}

// Snapshot returns consistent totals, what is pending and how many series there
// are. It locks all shards in index order, the only place that holds two.
func (c *Cache) Snapshot() (total stats.Counters, pending int64, size int) {
	for _, sh := range c.shards {
		sh.mu.Lock()
	}
	for _, sh := range c.shards {
		total.Add(&sh.counters)
		for _, s := range sh.series {
			pending += s.unwritten()
		}
		size += len(sh.series)
	}
	for _, sh := range c.shards {
		sh.mu.Unlock()
	}
	return total, pending, size
}
