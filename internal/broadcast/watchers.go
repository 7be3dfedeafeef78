// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package broadcast

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/eventseries/eventseries/internal/lifecycle"
)

// watcherQueue is the number of items that may wait for one watcher, as in client-go.
const watcherQueue = 1000

// Watchers pass every item to every watcher. Each watcher has a queue and a goroutine of its own,
// so that a slow one delays neither recorders nor other watchers. If the queue of a watcher is
// full, the watcher misses the item, and the miss is counted.
//
// Watchers are safe for concurrent use. None of their methods waits for a watcher.
type Watchers[T any] struct {
	group *lifecycle.Group
	// dropped counts the items that watchers missed.
	dropped atomic.Int64
	// queued is the number of items in all queues. GiveUp sets it to 0, and from then on a watcher
	// that takes an item makes it negative.
	queued atomic.Int64
	// active has the watchers that run. The slice is replaced and never changed, so it can be read
	// without a lock.
	active atomic.Pointer[[]*Watcher[T]]

	// mu guards closed, the replacement of active, and the queues, so that nobody sends to a closed
	// queue.
	mu     sync.Mutex
	closed bool
}

// Watcher is one function that gets every item, with its queue and its goroutine.
type Watcher[T any] struct {
	of     *Watchers[T]
	handle func(T)
	// enabled reports whether the watcher wants an item. Nil stands for always.
	enabled func(count int64) bool
	// queue is closed when the watcher is removed from active.
	queue chan T
}

// NewWatchers returns Watchers without any watcher. The goroutines of the watchers run in group.
func NewWatchers[T any](group *lifecycle.Group) *Watchers[T] { return &Watchers[T]{group: group} }

// Add starts a watcher, which calls handle with each item, one after the other. It gets only the
// items for which enabled returns true, or all of them if enabled is nil. Add returns nil after
// Close.
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

// All returns the watchers that run. It takes no lock, because it is called for every occurrence.
//
// Call it before you check whether the broadcaster has ended. Close may run in between, and Publish
// then counts the item as dropped for each watcher that was closed. In the other order such an item
// would be missed without a count.
func (w *Watchers[T]) All() []*Watcher[T] {
	if all := w.active.Load(); all != nil {
		return *all
	}
	return nil
}

// Wanted reports whether any of the watchers wants an item. count is the number of the item among
// the items of its kind, such as the occurrences of its series, or 0 if it has none.
func Wanted[T any](all []*Watcher[T], count int64) bool {
	return slices.ContainsFunc(all, func(one *Watcher[T]) bool { return one.wants(count) })
}

// Publish queues item for each of the given watchers that wants it. It never blocks. A watcher that
// was stopped meanwhile, or whose queue is full, misses the item, which is counted in Dropped.
// count is the number that Wanted was asked with.
func (w *Watchers[T]) Publish(to []*Watcher[T], item T, count int64) {
	for _, one := range to {
		if one.wants(count) && !w.offer(one, item) {
			w.dropped.Add(1)
		}
	}
}

// Dropped returns the number of items that a watcher should have got and did not handle, counted
// once for each such watcher.
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

// GiveUp counts the items that are still queued as dropped. No watcher handles them any more:
// neither one whose handler does not return, nor one that was stopped with items in its queue. It
// must be called after Close.
func (w *Watchers[T]) GiveUp() { w.dropped.Add(w.queued.Swap(0)) }

// Stop ends the watcher as soon as it has handled its queue. It does not wait for that, so the
// handler itself may call it. Later calls have no effect.
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

// offer queues item for one watcher, and reports whether it did. It does not if the watcher was
// stopped or its queue is full.
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

// run handles the queue until it is closed and empty, or until GiveUp. If the handler ends the
// goroutine by runtime.Goexit, the other items stay queued, and GiveUp counts them.
func (one *Watcher[T]) run() {
	for item := range one.queue {
		if one.of.queued.Add(-1) < 0 {
			// GiveUp has counted this item as dropped.
			return
		}
		one.handle(item)
	}
}

// Handlers are functions of the caller that want every value of some kind, such as every request.
// Call calls them in its own goroutine and in no particular order. Handlers can be added and
// stopped at any time, by any goroutine.
type Handlers[T any] struct {
	owner string
	log   *Log
	// all has the handlers as keys of type *func(T).
	all sync.Map
}

// NewHandlers returns Handlers without any function. A panic of one is logged to log, and owner
// names the functions there.
func NewHandlers[T any](owner string, log *Log) *Handlers[T] {
	return &Handlers[T]{owner: owner, log: log}
}

// Add adds a function, which is called with every value until stop is called. stop does not wait
// for calls that are under way.
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

// Call calls every function with value and waits for all of them. A panic of one is logged, and the
// others are called nevertheless.
func (h *Handlers[T]) Call(value T) {
	for handle := range h.all.Range {
		h.log.Call(h.owner, func() { (*handle.(*func(T)))(value) })
	}
}
