// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"slices"
	"sync/atomic"
)

// Flush waits until the occurrences that were unwritten when the Flush method of each [Core] got it are
// recorded or dropped. It is safe for concurrent use.
type Flush struct {
	remaining atomic.Int64
	finished  chan struct{}
	cancelled atomic.Bool
}

// NewFlush returns a Flush that waits for one item: its maker, so that it cannot finish early.
func NewFlush() *Flush {
	f := &Flush{finished: make(chan struct{})}
	f.remaining.Store(1)
	return f
}

// Add makes f wait for n more items. An n of -1 is for an item that f need not wait for any more.
func (f *Flush) Add(n int64) {
	if f.remaining.Add(n) == 0 {
		close(f.finished)
	}
}

// Done is closed when everything is recorded or dropped. After Cancel it may stay open.
func (f *Flush) Done() <-chan struct{} { return f.finished }

// Cancel tells the cores that nobody waits any more. They forget f with the next change of an item that
// f waits for, or with the next Flush.
func (f *Flush) Cancel() { f.cancelled.Store(true) }

// Cancelled reports whether nobody waits any more.
func (f *Flush) Cancelled() bool { return f.cancelled.Load() }

// Remaining returns the number of items that f still waits for.
func (f *Flush) Remaining() int64 { return f.remaining.Load() }

// flushTarget is a Flush that waits until so many occurrences of a series are recorded or dropped.
type flushTarget struct {
	observed int64
	flush    *Flush
}

// flush makes every unwritten series due, and f wait for them.
func (sh *shard) flush(f *Flush, now monotime) (due []Due) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	for _, e := range sh.all() {
		if e.unwritten() == 0 {
			continue
		}
		e.finishFlushes() // those that ended early leave nothing behind
		x := e.mutableExtras()
		x.flushes = append(x.flushes, flushTarget{observed: e.observed, flush: f})
		f.Add(1)
		e.holds = 0 // it is tried at once, whatever its pause
		due = sh.appendIfDue(due, e, now)
	}
	return due
}

// finishFlushes finishes every Flush that the series has reached, and forgets those that ended early.
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
