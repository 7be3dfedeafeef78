// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

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
// item needs next. It must return soon after ctx has ended, which may be before its
// own deadline. It calls throttled when it begins to wait for the client's rate limiter,
// and what that returned when it has waited. An attempt that ends its goroutine (runtime.Goexit) must leave the
// item as after [request.NoAnswer].
type Attempt[T any] func(ctx context.Context, item T, throttled func() (sent func())) (request.Verdict, request.Class)

// Refuse is called for an item that waits for a Create when the verdict on another
// one of its namespace concerns the namespace.
type Refuse[T any] func(item T, v request.Verdict)

// Writer is safe for concurrent use. No method blocks on I/O but the workers.
type Writer[T any] struct {
	attempt Attempt[T]
	refuse  Refuse[T]
	clock   clock.WithTicker
	workers int
	jitter  func(time.Duration) time.Duration // under mu
	inline  chan struct{}                     // holds a token while a caller of Work has a place

	mu         sync.Mutex // guards the rest
	queues     map[string]*namespaceQueue[T]
	order      []*namespaceQueue[T] // the same queues
	kept       int                  // of them, those that are idle and kept for what comes next
	ready      readyList[T]         // of those that may have something to write
	jobs       uint64               // the number of the last one
	waiting    int                  // items in all queues
	purgeAt    int                  // waiting items at which to look for those that are gone
	server     gate                 // closed by what only the server can mean
	pressure   gate                 // closed when several namespaces got request.Shared in a row
	lastShared string               // the last of these, unless another answer came since
	team       *team                // nil before Start
	running    []*worker[T]
	working    int // of them, those that have one of the places
	reserve    int // of them, those that wait for an item, or are about to look for one
	detached   detached[T]
	wake       chan struct{}
}

// New returns a writer without goroutines. Items can be enqueued at once.
func New[T any](clk clock.WithTicker, workers int, attempt Attempt[T], refuse Refuse[T]) *Writer[T] {
	return &Writer[T]{
		attempt:  attempt,
		refuse:   refuse,
		clock:    clk,
		workers:  workers,
		jitter:   fullJitter(clk.Now()),
		queues:   map[string]*namespaceQueue[T]{},
		ready:    readyList[T]{delayed: newDelayed[T]()},
		purgeAt:  minPurge,
		pressure: gate{maxWait: longestPause},
		inline:   make(chan struct{}, 1),
		wake:     make(chan struct{}, 1),
	}
}

// fullJitter spreads waits evenly. The seed is the time in nanoseconds. It differs
// between processes that start after an outage, and lets a simulated run be repeated.
// The function is not safe for concurrent use.
func fullJitter(now time.Time) func(time.Duration) time.Duration {
	random := rand.New(rand.NewPCG(uint64(now.UnixNano()), 0))
	return func(d time.Duration) time.Duration { return time.Duration(random.Int64N(int64(d))) + 1 }
}

// Start runs workers in group until stop is closed: one that waits, and as many more as
// there is work for. Every attempt gets ctx.
func (w *Writer[T]) Start(ctx context.Context, group *lifecycle.Group, stop <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.team = &team{ctx: ctx, stop: stop, group: group}
	w.reserveLocked()
}

// Enqueue adds an item that needs a write of class in namespace.
func (w *Writer[T]) Enqueue(item T, namespace string, class request.Class) {
	w.mu.Lock()
	w.enqueueLocked(item, namespace, class)
	w.mu.Unlock()
	w.signal()
}

func (w *Writer[T]) enqueueLocked(item T, namespace string, class request.Class) {
	w.addLocked(w.queueLocked(namespace), item, class)
	if w.waiting >= w.purgeAt {
		w.purgeLocked()
	}
}

// OpenGates forgets every back-off, so that everything is tried at once. Which queues
// are suspect is not forgotten: the others go first.
func (w *Writer[T]) OpenGates() {
	w.mu.Lock()
	w.server.open()
	w.pressure.open()
	for _, q := range w.order {
		q.all.open()
		q.create.open()
		w.ready.add(q)
	}
	w.mu.Unlock()
	w.signal()
}

// signal wakes one worker. A worker that takes an item signals the next one if more
// wait, and so does one that is done. Waking all for one item would cost more than
// the SDK's share of a write.
func (w *Writer[T]) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

func (w *Writer[T]) addLocked(q *namespaceQueue[T], item T, class request.Class) {
	w.unkeepLocked(q)
	q.add(item, class)
	w.waiting++
	w.ready.add(q)
}

func (w *Writer[T]) queueLocked(namespace string) *namespaceQueue[T] {
	q := w.queues[namespace]
	if q == nil {
		q = newNamespaceQueue[T](namespace)
		w.queues[namespace] = q
		q.index = len(w.order)
		w.order = append(w.order, q)
	}
	return q
}

// maxKept bounds the idle queues that are kept. While the API server keeps up, nearly
// each item is alone in the queue of its namespace, and making and removing that would
// be a tenth of what the item costs.
const maxKept = 128

// retireLocked removes a queue of which nothing would be forgotten, or keeps it.
func (w *Writer[T]) retireLocked(q *namespaceQueue[T]) {
	switch {
	case q.kept:
	case w.kept == maxKept, q.closed(), q.large():
		w.removeLocked(q)
	default:
		q.kept = true
		w.kept++
	}
}

func (w *Writer[T]) unkeepLocked(q *namespaceQueue[T]) {
	if q.kept {
		q.kept = false
		w.kept--
	}
}

func (w *Writer[T]) removeLocked(q *namespaceQueue[T]) {
	w.unkeepLocked(q)
	w.ready.remove(q)
	delete(w.queues, q.namespace)
	last := len(w.order) - 1
	moved := w.order[last]
	w.order[q.index], w.order[last] = moved, nil
	moved.index = q.index
	w.order = w.order[:last]
}

// minPurge is the number of waiting items below which a purge is not worth it.
const minPurge = 1024

// purgeLocked removes the items that are gone. While a gate is closed nobody takes
// them, and the queues must be as bounded as the cache that evicts series (invariant
// I5). The next purge comes when the number of items has doubled, so that an item is
// looked at once or twice.
func (w *Writer[T]) purgeLocked() {
	now := w.clock.Now()
	w.waiting = 0
	for i := len(w.order) - 1; i >= 0; i-- {
		q := w.order[i]
		q.purge(isGone)
		if q.removable(now) {
			w.removeLocked(q)
		}
		w.waiting += q.waiting
	}
	w.purgeAt = max(minPurge, 2*w.waiting)
}

// isGone reports whether item says that it need not be written any more.
func isGone[T any](item T) bool {
	i, ok := any(item).(interface{ Gone() bool })
	return ok && i.Gone()
}
