// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recording

import (
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
)

// Registry has a recorder per component.
type Registry struct {
	broadcaster record.EventBroadcaster
	scheme      *runtime.Scheme

	mu        sync.Mutex
	recorders map[string]record.EventRecorderLogger
}

// NewRegistry returns a Registry over broadcaster.
func NewRegistry(broadcaster record.EventBroadcaster, scheme *runtime.Scheme) *Registry {
	return &Registry{
		broadcaster: broadcaster, scheme: scheme, recorders: map[string]record.EventRecorderLogger{},
	}
}

// For returns the recorder of component, the same one every time.
func (r *Registry) For(component string) record.EventRecorder {
	r.mu.Lock()
	defer r.mu.Unlock()
	recorder, found := r.recorders[component]
	if !found {
		recorder = r.broadcaster.NewRecorder(r.scheme, corev1.EventSource{Component: component})
		r.recorders[component] = recorder
	}
	return recorder
}

// All returns those that there are.
func (r *Registry) All() (all []record.EventRecorder) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, recorder := range r.recorders {
		all = append(all, recorder)
	}
	return all
}

// Pool lends recorders.
type Pool struct{ free chan record.EventRecorder }

// NewPool returns a Pool of recorders.
func NewPool(recorders ...record.EventRecorder) *Pool {
	p := &Pool{free: make(chan record.EventRecorder, len(recorders))}
	for _, r := range recorders {
		p.free <- r
	}
	return p
}

// With lends a recorder to f.
func (p *Pool) With(f func(r record.EventRecorder)) {
	r := <-p.free
	defer func() { p.free <- r }()
	f(r)
}
