// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package broadcast

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/eventseries/eventseries/internal/lifecycle"
)

// watcherQueue is how many items wait for a slow watcher, as in client-go.
const watcherQueue = 1000

// Watchers hand every item to every watcher. Each watcher has a queue and a
// goroutine of its own, so that a slow one holds up neither recorders nor other
// watchers. An item that finds a full queue is counted and not handled.
type Watchers[T any] struct {
	group   *lifecycle.Group
	dropped atomic.Int64
	queued  atomic.Int64                  // items in all queues; below 0 after GiveUp
	active  atomic.Pointer[[]*Watcher[T]] // the slice is never changed in place

	mu     sync.Mutex // guards closed, changes of active, and the queues, to which nobody may send once they are closed
	closed bool
}

// Watcher is one watch.
type Watcher[T any] struct {
	of      *Watchers[T]
	handle  func(T)
	enabled func(count int64) bool // nil: always
	queue   chan T                 // closed when the watcher is no longer active
}

// NewWatchers returns Watchers without any. Their goroutines run in group.
func NewWatchers[T any](group *lifecycle.Group) *Watchers[T] { return &Watchers[T]{group: group} }

// Add starts a watcher. Items are queued for it for which enabled returns true; nil
// takes all. Add returns nil after Close.
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

// All returns the watchers that run. Ask for them before it is decided that an item comes
// before the end: Close may follow at once, and one that is closed counts the item as
// dropped. All is on the path of every occurrence, so it takes no lock.
func (w *Watchers[T]) All() []*Watcher[T] {
	if all := w.active.Load(); all != nil {
		return *all
	}
	return nil
}

// Wanted reports whether a watcher is enabled for an item. count is the item's number
// among those of its kind, or 0.
func Wanted[T any](all []*Watcher[T], count int64) bool {
	return slices.ContainsFunc(all, func(one *Watcher[T]) bool { return one.wants(count) })
}

// Publish queues item for those of the watchers that are enabled for count. It never
// blocks. A watcher that was stopped since misses the item, which is counted.
func (w *Watchers[T]) Publish(to []*Watcher[T], item T, count int64) {
	for _, one := range to {
		if one.wants(count) && !w.offer(one, item) {
			w.dropped.Add(1)
		}
	}
}

// Dropped returns how many items were not handled.
func (w *Watchers[T]) Dropped() int64 { return w.dropped.Load() }

// Close ends every watch after what is queued for it.
func (w *Watchers[T]) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	for _, one := range w.All() {
		close(one.queue)
	}
	w.active.Store(nil)
}

// GiveUp counts what is still queued as dropped, also for a watcher that was stopped, and
// for a handler that does not return. It must be called after Close.
func (w *Watchers[T]) GiveUp() { w.dropped.Add(w.queued.Swap(0)) }

// Stop ends the watch after what is queued. It does not wait for the handler,
// which may call it.
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

// offer reports whether item was queued for one.
func (w *Watchers[T]) offer(one *Watcher[T], item T) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Contains(w.All(), one) {
		return false
	}
	w.queued.Add(1) // first, as one may take the item at once
	select {
	case one.queue <- item:
		return true
	default:
		w.queued.Add(-1)
		return false
	}
}

// run handles what is queued until the queue is closed and empty, or until GiveUp. What a
// handler leaves that ends the goroutine stays queued.
func (one *Watcher[T]) run() {
	for item := range one.queue {
		if one.of.queued.Add(-1) < 0 {
			return // GiveUp has counted it
		}
		one.handle(item)
	}
}

// Handlers are functions of the caller that are called with each T, in the goroutine
// that has it, in no particular order. They come and go while the broadcaster runs.
type Handlers[T any] struct {
	owner string
	log   *Log
	all   sync.Map // of *func(T)
}

// NewHandlers returns no handlers. Their panics are logged to log as those of owner.
func NewHandlers[T any](owner string, log *Log) *Handlers[T] {
	return &Handlers[T]{owner: owner, log: log}
}

// Add adds a handler until stop is called, which does not wait for calls under way.
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

// Call calls all handlers.
func (h *Handlers[T]) Call(value T) {
	for handle := range h.all.Range {
		h.log.Call(h.owner, func() { (*handle.(*func(T)))(value) })
	}
}
