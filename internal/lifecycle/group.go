// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"context"
	"sync"
)

// Group starts goroutines and waits for them. The zero value is ready to use. A Group is safe for
// concurrent use and must not be copied.
type Group struct {
	// mu guards the fields below.
	mu sync.Mutex
	// n is the number of goroutines that run.
	n int
	// idle is closed when n becomes 0. Join makes a new channel for the next goroutine.
	idle chan struct{}
}

// Go runs fn in a new goroutine. The Group cannot stop fn, so the caller must make it return.
func (g *Group) Go(fn func()) {
	leave := g.Join()
	go func() {
		defer leave()
		fn()
	}()
}

// Join adds a goroutine that the Group did not start, such as the calling one, to the goroutines
// that Wait waits for. The goroutine must call leave when it ends.
func (g *Group) Join() (leave func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.n == 0 {
		g.idle = make(chan struct{})
	}
	g.n++
	return g.exit
}

// exit removes one goroutine from the count.
func (g *Group) exit() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.n--
	if g.n == 0 {
		close(g.idle)
	}
}

// Wait blocks until no goroutine of the Group runs, and returns 0. If ctx ends first, it returns
// the number of goroutines that still run. Wait may overlook a goroutine that starts or joins
// during the call.
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
