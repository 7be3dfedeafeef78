// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"context"
	"sync"
)

// Group runs goroutines and waits for them. The zero value is ready to use. A Group
// is safe for concurrent use and must not be copied.
type Group struct {
	mu   sync.Mutex
	n    int
	idle chan struct{} // made by the first Wait, closed and set to nil when n is 0
}

// Go runs fn in a new goroutine. The caller must make fn return: a Group only waits.
func (g *Group) Go(fn func()) {
	leave := g.Join()
	go func() {
		defer leave()
		fn()
	}()
}

// Join makes Wait also wait for the caller's goroutine, until it calls leave.
func (g *Group) Join() (leave func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.n++
	return g.exit
}

func (g *Group) exit() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.n--
	if g.n == 0 && g.idle != nil {
		close(g.idle)
		g.idle = nil
	}
}

// Wait blocks until every goroutine has returned or ctx ends, and reports how
// many were still running then: 0 unless ctx ended first.
func (g *Group) Wait(ctx context.Context) int {
	g.mu.Lock()
	if g.n == 0 {
		g.mu.Unlock()
		return 0
	}
	if g.idle == nil {
		g.idle = make(chan struct{})
	}
	idle := g.idle
	g.mu.Unlock()

	select {
	case <-idle:
		return 0
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.n
}
