// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package broadcast

import (
	"sync"
	"time"
)

// end happens once, although many may ask for it. The first caller of do runs it,
// the others wait and get its result. It is no sync.Once, whose waiters block on a
// mutex: that stops the clock of a testing/synctest bubble, and so the end.
type end struct {
	mu    sync.Mutex // guards the closing of begun
	begun chan struct{}
	done  chan struct{} // closed when err is set
	err   error
}

func newEnd() *end { return &end{begun: make(chan struct{}), done: make(chan struct{})} }

// do runs f unless somebody did, and returns its result when it is over.
func (e *end) do(f func() error) error {
	if e.begin() {
		e.err = f()
		close(e.done)
	}
	<-e.done
	return e.err
}

func (e *end) begin() (first bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.hasBegun() {
		return false
	}
	close(e.begun)
	return true
}

func (e *end) hasBegun() bool {
	select {
	case <-e.begun:
		return true
	default:
		return false
	}
}

// overdue waits until one of the channels is closed, calls onStop, and then waits
// for grace, in which the end may still begin: a component records its last events
// after its context has ended, and then calls Shutdown. It reports whether the end
// has not begun by then. A nil channel is never closed.
func (e *end) overdue(grace time.Duration, onStop func(), stop1, stop2 <-chan struct{}) bool {
	select {
	case <-stop1:
	case <-stop2:
	case <-e.begun:
		return false
	}
	onStop()
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-timer.C:
		return !e.hasBegun()
	case <-e.begun:
		return false
	}
}
