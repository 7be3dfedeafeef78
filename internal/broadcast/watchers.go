// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package broadcast

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/eventseries/eventseries/internal/lifecycle"
)

// watcherQueue is the size of the queue of a watcher, the same as in client-go.
const watcherQueue = 1000

// Watchers passes every item to every watcher. Each watcher has its own queue and goroutine, so
// that a slow watcher delays neither recorders nor other watchers. If the queue of a watcher is
// full, the item is dropped for this watcher, and the drop is counted.
//
// Watchers is safe for concurrent use. None of its methods waits for a watcher.
type Watchers[T any] struct {
	group *lifecycle.Group
	// dropped counts the items that were dropped, once for each watcher.
	dropped atomic.Int64
	// queued is the number of items in all queues. GiveUp sets queued to 0. If a watcher takes an
	// item after that, queued becomes negative.
	queued atomic.Int64
	// active lists the running watchers. The slice is only replaced, never modified, so it can be
	// read without a lock.
	active atomic.Pointer[[]*Watcher[T]]

	// mu guards closed, replacing active, and sending to the queues, so that no item is sent to a
	// closed queue.
	mu     sync.Mutex
	closed bool
}

// Watcher calls one function with every item. It has its own queue and goroutine.
type Watcher[T any] struct {
	of     *Watchers[T]
	handle func(T)
	// enabled reports whether the watcher wants an item with the given count; see Wanted. If
	// enabled is nil, the watcher wants every item.
	enabled func(count int64) bool
	// queue is closed when the watcher is removed from active.
	queue chan T
}

// NewWatchers returns Watchers without any watcher. The goroutines of the watchers run in group.
func NewWatchers[T any](group *lifecycle.Group) *Watchers[T] { return &Watchers[T]{group: group} }

// Add starts a watcher, which calls handle with each item, one after the other. The watcher
// receives only the items for which enabled returns true, or all items if enabled is nil. Add
// returns nil after Close.
func (w *Watchers[T]) Add(handle func(T), enabled func(count int64) bool) *Watcher[T] {
	one := &Watcher[T]{
		of:      w,
		handle:  handle,
		enabled: enabled,
		queue:   make(chan T, watcherQueue),
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil
	}
	all := append(slices.Clone(w.All()), one)
	w.active.Store(&all)
	w.group.Go(one.run)
	return one
}

// All returns the running watchers. It takes no lock, because it is called for every occurrence.
//
// Call All before checking whether the broadcaster has ended. If Close runs in between, Publish
// counts the item as dropped for each watcher that was closed. In the other order, the item would
// be lost without being counted.
func (w *Watchers[T]) All() []*Watcher[T] {
	if all := w.active.Load(); all != nil {
		return *all
	}
	return nil
}

// Wanted reports whether any of the watchers wants an item. count is the position of the item in
// its series, counting from 1, or 0 if the item has no series.
func Wanted[T any](all []*Watcher[T], count int64) bool {
	return slices.ContainsFunc(all, func(one *Watcher[T]) bool { return one.wants(count) })
}

// Publish queues item for each of the given watchers that wants it. It never blocks. If a watcher
// has been stopped or its queue is full, the item is dropped for this watcher and counted in
// Dropped. count has the same meaning as for Wanted.
func (w *Watchers[T]) Publish(to []*Watcher[T], item T, count int64) {
	for _, one := range to {
		if one.wants(count) && !w.offer(one, item) {
			w.dropped.Add(1)
		}
	}
}

// Dropped returns the number of items that were dropped instead of being handled by a watcher,
// counted once for each watcher.
func (w *Watchers[T]) Dropped() int64 { return w.dropped.Load() }

// Close ends every watcher as soon as it has handled its queue. It does not wait for them.
func (w *Watchers[T]) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	for _, one := range w.All() {
		close(one.queue)
	}
	w.active.Store(nil)
}

// GiveUp counts the items that are still queued as dropped. No watcher handles them afterwards,
// even if its handler returns later. GiveUp must be called after Close.
func (w *Watchers[T]) GiveUp() { w.dropped.Add(w.queued.Swap(0)) }

// Stop ends the watcher as soon as it has handled its queue. It does not wait for the end of the
// watcher, so the handler itself may call Stop. Later calls have no effect.
func (one *Watcher[T]) Stop() {
	w := one.of
	w.mu.Lock()
	defer w.mu.Unlock()
	all := w.All()
	if i := slices.Index(all, one); i >= 0 {
		all = slices.Delete(slices.Clone(all), i, i+1)
		w.active.Store(&all)
		close(one.queue)
	}
}

func (one *Watcher[T]) wants(count int64) bool { return one.enabled == nil || one.enabled(count) }

// offer tries to queue item for one watcher. It returns false if the watcher was stopped or its
// queue is full.
func (w *Watchers[T]) offer(one *Watcher[T], item T) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Contains(w.All(), one) {
		return false
	}
	// Count the item first, because the watcher may take it at once.
	w.queued.Add(1)
	select {
	case one.queue <- item:
		return true
	default:
		w.queued.Add(-1)
		return false
	}
}

// run handles the queue until it is closed and empty, or until GiveUp. If the handler calls
// runtime.Goexit, the goroutine ends, the other items stay queued, and GiveUp counts them.
func (one *Watcher[T]) run() {
	for item := range one.queue {
		if one.of.queued.Add(-1) < 0 {
			// GiveUp has counted this item as dropped.
			return
		}
		one.handle(item)
	}
}

// Handlers is a set of user functions to call with every value of some kind, such as every request.
// Call calls them in the calling goroutine, in no particular order. Handlers can be added and
// stopped at any time, by any goroutine.
type Handlers[T any] struct {
	owner string
	log   *Log
	// all contains the handlers as keys of type *func(T).
	all sync.Map
}

// NewHandlers returns an empty set of handlers. If a handler panics, the panic is logged to log,
// with owner as the name of the handler.
func NewHandlers[T any](owner string, log *Log) *Handlers[T] {
	return &Handlers[T]{owner: owner, log: log}
}

// Add adds a function, which is called with every value until stop is called. stop does not wait
// for calls in progress.
func (h *Handlers[T]) Add(handle func(T)) (stop func()) {
	h.all.Store(&handle, nil)
	return func() { h.all.Delete(&handle) }
}

// Any reports whether there are handlers.
func (h *Handlers[T]) Any() bool {
	for range h.all.Range {
		return true
	}
	return false
}

// Call calls every function with value, one after the other. If a function panics, the panic is
// logged and the other functions are still called.
func (h *Handlers[T]) Call(value T) {
	for handle := range h.all.Range {
		h.log.Call(h.owner, func() { (*handle.(*func(T)))(value) })
	}
}
