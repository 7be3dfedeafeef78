// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package broadcast

import "sync"

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
