// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package broadcast

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Handlers are functions of the caller that are called with each T, in the goroutine
// that has it. They come and go while the broadcaster runs.
type Handlers[T any] struct {
	owner string
	log   *Log

	mu     sync.Mutex // serializes changes
	active atomic.Pointer[[]*func(T)]
}

// NewHandlers returns no handlers. Their panics are logged to log as those of owner.
func NewHandlers[T any](owner string, log *Log) *Handlers[T] {
	return &Handlers[T]{owner: owner, log: log}
}

// Add adds a handler until stop is called, which does not wait for calls under way.
func (h *Handlers[T]) Add(handle func(T)) (stop func()) {
	added := &handle
	h.change(func(all []*func(T)) []*func(T) { return append(all, added) })
	return func() {
		h.change(func(all []*func(T)) []*func(T) {
			return slices.DeleteFunc(all, func(one *func(T)) bool { return one == added })
		})
	}
}

func (h *Handlers[T]) change(edit func([]*func(T)) []*func(T)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := edit(slices.Clone(h.list()))
	h.active.Store(&all)
}

func (h *Handlers[T]) list() []*func(T) {
	if all := h.active.Load(); all != nil {
		return *all
	}
	return nil
}

// Any reports whether there are handlers.
func (h *Handlers[T]) Any() bool { return len(h.list()) > 0 }

// Call calls all handlers.
func (h *Handlers[T]) Call(value T) {
	for _, handle := range h.list() {
		h.log.Call(h.owner, func() { (*handle)(value) })
	}
}
