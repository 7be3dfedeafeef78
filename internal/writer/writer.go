// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package writer brings an API server up to date: a queue of items that need a
// write, a few workers, one table that says what an answer means, and one
// back-off mechanism. Series and the lanes of the legacy recorder go through it
// alike.
//
//	Enqueue ──▶ lane (a namespace) ──▶ gate ──▶ worker ──▶ attempt ──▶ Verdict ──▶ gate, lane
//
// The writer knows nothing of what an item is: the attempt does the write and
// keeps the item's state. An item must not be enqueued again before its attempt
// has returned; the result says whether it needs another write.
//
// One namespace whose writes hang or fail must not hold up the others. A lane is
// suspect from a bad answer, or from an attempt that takes more than a second, to
// its next good answer. Attempts of suspect lanes have a bound of their own and
// never take the place of a worker; DESIGN.md has the whole policy in one table.
package writer

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/lifecycle"
	"github.com/eventseries/eventseries/internal/request"
)

// Attempt does one write of item. It returns what the answer means and what the
// item needs next, and leaves queueing to the writer. It must return soon after
// ctx has ended, which may be before its own deadline. One that ends its goroutine
// instead (runtime.Goexit) has left the item as after an ambiguous Retry.
type Attempt[T any] func(ctx context.Context, item T) (request.Verdict, request.Op)

// Refuse tells that item, which waits for a Create, was refused along with
// another one of its namespace: the verdict concerns the namespace.
type Refuse[T any] func(item T, v request.Verdict)

// Writer is safe for concurrent use. No method blocks on I/O but the workers.
type Writer[T any] struct {
	attempt Attempt[T]
	refuse  Refuse[T]
	clock   clock.WithTicker
	workers int
	jitter  func(time.Duration) time.Duration // under mu
	first   chan struct{}                     // holds a token while somebody is in the first worker's place

	mu       sync.Mutex // guards the rest
	lanes    map[string]*lane[T]
	order    []*lane[T] // the same lanes
	turns    turns[T]   // of those that may have something to write
	jobs     uint64     // the number of the last one
	waiting  int        // items in all lanes
	crowd    int        // waiting items at which to look for those that are gone
	server   gate       // closed by what only the server can mean
	pressure gate       // closed by what several namespaces heard in a row
	blamedIn string     // the namespace that heard it last, unless another answer came since
	slow     slow[T]
	wake     chan struct{}
}

// New returns a writer without goroutines; items can be enqueued at once.
func New[T any](clk clock.WithTicker, workers int, attempt Attempt[T], refuse Refuse[T]) *Writer[T] {
	return &Writer[T]{
		attempt:  attempt,
		refuse:   refuse,
		clock:    clk,
		workers:  workers,
		jitter:   fullJitter(clk.Now()),
		lanes:    map[string]*lane[T]{},
		crowd:    smallCrowd,
		pressure: gate{most: longestPause},
		first:    make(chan struct{}, 1),
		wake:     make(chan struct{}, 1),
	}
}

// fullJitter spreads waits evenly. It is seeded with the time in nanoseconds: that
// differs between the processes that an outage brings back, and lets a simulated
// run be repeated. The caller makes no two calls at a time.
func fullJitter(now time.Time) func(time.Duration) time.Duration {
	random := rand.New(rand.NewPCG(uint64(now.UnixNano()), 0))
	return func(d time.Duration) time.Duration { return time.Duration(random.Int64N(int64(d))) + 1 }
}

// Start runs the workers in group until stop is closed. Every attempt gets ctx.
func (w *Writer[T]) Start(ctx context.Context, group *lifecycle.Group, stop <-chan struct{}) {
	team := &team{ctx: ctx, stop: stop, group: group}
	group.Go(func() { w.workFirst(team) })
	for range w.workers - 1 {
		w.hire(team)
	}
}

// Enqueue adds an item that needs op in namespace.
func (w *Writer[T]) Enqueue(item T, namespace string, op request.Op) {
	w.mu.Lock()
	w.enqueueLocked(item, namespace, op)
	w.mu.Unlock()
	w.signal()
}

func (w *Writer[T]) enqueueLocked(item T, namespace string, op request.Op) {
	w.addLocked(w.laneLocked(namespace), item, op)
	if w.waiting >= w.crowd {
		w.purgeLocked()
	}
}

// OpenGates forgets every back-off, so that all that waits is tried at once. Which
// lanes are suspect is not forgotten: the others go first.
func (w *Writer[T]) OpenGates() {
	w.mu.Lock()
	w.server.open()
	w.pressure.open()
	for _, l := range w.order {
		l.all.open()
		l.create.open()
		w.turns.join(l)
	}
	w.mu.Unlock()
	w.signal()
}

// signal wakes one worker. A worker that takes an item signals the next one if
// more wait, as one that is done does: a wake-up for nothing costs more than the
// SDK's share of a write.
func (w *Writer[T]) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

func (w *Writer[T]) addLocked(l *lane[T], item T, op request.Op) {
	l.add(item, op)
	w.waiting++
	w.turns.join(l)
}

func (w *Writer[T]) laneLocked(namespace string) *lane[T] {
	l := w.lanes[namespace]
	if l == nil {
		l = newLane[T](namespace)
		w.lanes[namespace] = l
		l.index = len(w.order)
		w.order = append(w.order, l)
	}
	return l
}

func (w *Writer[T]) removeLocked(l *lane[T]) {
	w.turns.leave(l)
	delete(w.lanes, l.namespace)
	last := len(w.order) - 1
	moved := w.order[last]
	w.order[l.index], w.order[last] = moved, nil
	moved.index = l.index
	w.order = w.order[:last]
}

// smallCrowd is not worth a look for items that are gone.
const smallCrowd = 1024

// purgeLocked throws out the items that are gone, which nobody would ever take
// while a gate stays closed: a cache that is bounded lets go of old series as
// new ones come, and the queue must stay as bounded (invariant I5). Each purge
// waits until the crowd has doubled, so that an item costs no more than a look
// or two.
func (w *Writer[T]) purgeLocked() {
	now := w.clock.Now()
	w.waiting = 0
	for i := len(w.order) - 1; i >= 0; i-- {
		l := w.order[i]
		l.purge(isGone)
		if l.removable(now) {
			w.removeLocked(l)
		}
		w.waiting += l.len()
	}
	w.crowd = max(smallCrowd, 2*w.waiting)
}

// isGone asks items that can tell: they may leave without the writer's doing.
func isGone[T any](item T) bool {
	leaver, ok := any(item).(interface{ Gone() bool })
	return ok && leaver.Gone()
}
