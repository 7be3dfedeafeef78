// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"sync"
	"time"
)

// End is what happens once to something that many may want to end. The first
// caller of Do does it, the others wait and get its result. Get one from NewEnd.
//
// It is no sync.Once: that one's waiters block on a mutex, which holds up the
// time of a testing/synctest bubble, and so the end that they wait for.
type End struct {
	mu    sync.Mutex // guards the closing of begun
	begun chan struct{}
	done  chan struct{} // closed when err is set
	err   error
}

// NewEnd returns an end that has not begun.
func NewEnd() *End { return &End{begun: make(chan struct{}), done: make(chan struct{})} }

// Do runs end unless somebody did, and returns its result when it is over.
func (e *End) Do(end func() error) error {
	if e.begin() {
		e.err = end()
		close(e.done)
	}
	<-e.done
	return e.err
}

func (e *End) begin() (first bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.HasBegun() {
		return false
	}
	close(e.begun)
	return true
}

// Overdue waits for the owners' ways to say stop, and from then on for grace, in
// which somebody may still begin the end: a component says what it did last after
// its context has ended, and then calls Shutdown. It returns true if nobody has,
// false as soon as somebody does. onStop is called in between. A nil channel never
// says stop.
func (e *End) Overdue(grace time.Duration, onStop func(), stop1, stop2 <-chan struct{}) bool {
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
		return !e.HasBegun()
	case <-e.begun:
		return false
	}
}

// Begun is closed before the end begins.
func (e *End) Begun() <-chan struct{} { return e.begun }

// HasBegun tells whether Begun is closed.
func (e *End) HasBegun() bool {
	select {
	case <-e.begun:
		return true
	default:
		return false
	}
}
