// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import "sync/atomic"

// Flush waits until everything that was unwritten when it was made is recorded or
// dropped. [Cache.Flush] makes it.
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

// Remaining is the number of series that it still waits for.
func (f *Flush) Remaining() int64 { return f.remaining.Load() }

// flushTarget is what a Flush waits for in one series.
type flushTarget struct {
	observed int64 // so many occurrences recorded or dropped
	flush    *Flush
}
