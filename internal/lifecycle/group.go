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
	idle chan struct{} // closed when n becomes 0 again
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
	if g.n == 0 {
		g.idle = make(chan struct{})
	}
	g.n++
	return g.exit
}

func (g *Group) exit() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.n--
	if g.n == 0 {
		close(g.idle)
	}
}

// Wait blocks until every goroutine has returned or ctx ends, and reports how
// many were still running then: 0 unless ctx ended first.
func (g *Group) Wait(ctx context.Context) int {
	g.mu.Lock()
	n, idle := g.n, g.idle
	g.mu.Unlock()
	if n == 0 {
		return 0
	}
	select {
	case <-idle:
		return 0
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.n
}
