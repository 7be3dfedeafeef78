// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package broadcast

import (
	"slices"
	"sync"
)

// Handlers are functions of the caller that are called with each T, in the goroutine
// that has it. They come and go while the broadcaster runs.
type Handlers[T any] struct {
	owner string
	log   *Log

	mu  sync.Mutex
	all []*func(T) // no element is ever changed in place
}

// NewHandlers returns no handlers. Their panics are logged to log as those of owner.
func NewHandlers[T any](owner string, log *Log) *Handlers[T] {
	return &Handlers[T]{owner: owner, log: log}
}

// Add adds a handler until stop is called, which does not wait for calls under way.
func (h *Handlers[T]) Add(handle func(T)) (stop func()) {
	added := &handle
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, added)
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.all = slices.DeleteFunc(slices.Clone(h.all), func(one *func(T)) bool { return one == added })
	}
}

func (h *Handlers[T]) list() []*func(T) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.all
}

// Any reports whether there are handlers.
func (h *Handlers[T]) Any() bool { return len(h.list()) > 0 }

// Call calls all handlers.
func (h *Handlers[T]) Call(value T) {
	for _, handle := range h.list() {
		h.log.Call(h.owner, func() { (*handle)(value) })
	}
}
