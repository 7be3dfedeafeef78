// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"slices"
	"sync/atomic"
)

// Flush waits until the occurrences that were unwritten when it was passed to [Core.Flush] are
// recorded or dropped. It is safe for concurrent use.
type Flush struct {
	remaining atomic.Int64
	finished  chan struct{}
	cancelled atomic.Bool
}

// NewFlush returns a Flush that waits for one item already, which stands for the caller. This
// prevents the Flush from being done before the caller has passed it to all cores. After that, the
// caller must call Add(-1).
func NewFlush() *Flush {
	f := &Flush{finished: make(chan struct{})}
	f.remaining.Store(1)
	return f
}

// Add adds n to the number of items for which f waits. When this number becomes 0, f is done.
func (f *Flush) Add(n int64) {
	if f.remaining.Add(n) == 0 {
		close(f.finished)
	}
}

// Done returns a channel that is closed when everything is recorded or dropped. After a call of
// Cancel, the channel may stay open for ever.
func (f *Flush) Done() <-chan struct{} { return f.finished }

// Cancel tells the cores that nobody waits for f any longer. Each core forgets f at the next change
// of an item for which f waits, or at the next Flush.
func (f *Flush) Cancel() { f.cancelled.Store(true) }

// Cancelled reports whether Cancel was called.
func (f *Flush) Cancelled() bool { return f.cancelled.Load() }

// Remaining returns the number of items for which f still waits.
func (f *Flush) Remaining() int64 { return f.remaining.Load() }

// flushTarget is a Flush that waits for a series. The wait ends when the number of recorded and
// dropped occurrences of the series reaches the field observed, which is the number of its observed
// occurrences when the wait began.
type flushTarget struct {
	observed int64
	flush    *Flush
}

// flush makes f wait for each series that has unwritten occurrences. It returns the series to pass
// to the writer.
func (sh *shard) flush(f *Flush, now monotime) (due []Due) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	for _, e := range sh.all() {
		if e.unwritten() == 0 {
			continue
		}
		e.finishFlushes() // forget those that were cancelled
		x := e.mutableExtras()
		x.flushes = append(x.flushes, flushTarget{observed: e.observed, flush: f})
		f.Add(1)
		e.holds = 0 // end any pause
		due = sh.appendIfDue(due, e, now)
	}
	return due
}

// finishFlushes ends the wait of each Flush for which enough occurrences of the series are recorded
// or dropped. It also forgets each cancelled Flush.
func (e *entry) finishFlushes() {
	if !e.forced() {
		return
	}
	x := e.mutableExtras()
	done := e.recorded + x.dropped
	for _, t := range x.flushes {
		if t.observed <= done {
			t.flush.Add(-1)
		}
	}
	x.flushes = slices.DeleteFunc(x.flushes, func(t flushTarget) bool {
		return t.observed <= done || t.flush.Cancelled()
	})
}
