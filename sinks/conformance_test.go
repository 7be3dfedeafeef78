// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sinks_test

import (
	"context"
	"io"
	"sync"
	"testing"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/client-go/kubernetes"
	clientevents "k8s.io/client-go/tools/events"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/sinks"
)

// odd keeps Events whose note has an odd length. none keeps no Event.
func odd(event *eventsv1.Event) bool { return len(event.Note)%2 == 1 }
func none(*eventsv1.Event) bool      { return false }

// Every sink of this package, alone and combined, keeps the contract of a Sink, and so does
// client-go's.
//
// Caught: CoreV1 answering with the event as it was sent, or without its series; JSONLines without
// a lock, or naming the kind in the caller's event; EventsV1 doing that; Tee and Filter with errors
// of their own; Log looking at a related object that is not there.
func TestSinks(t *testing.T) {
	for name, newSink := range map[string]func() events.Sink{
		"JSONLines":         func() events.Sink { return sinks.JSONLines(io.Discard) },
		"Filter":            func() events.Sink { return sinks.Filter(eventstest.NewSink(), odd) },
		"Filter of all":     func() events.Sink { return sinks.Filter(eventstest.NewSink(), none) },
		"Tee":               func() events.Sink { return sinks.Tee(eventstest.NewSink(), sinks.JSONLines(io.Discard)) },
		"Tee without store": func() events.Sink { return sinks.Tee(sinks.JSONLines(io.Discard), sinks.JSONLines(io.Discard)) },
		"EventsV1": func() events.Sink {
			return overClient(func(c kubernetes.Interface) events.Sink { return sinks.EventsV1(c.EventsV1()) })
		},
		"CoreV1": func() events.Sink {
			return overClient(func(c kubernetes.Interface) events.Sink { return sinks.CoreV1(c.CoreV1()) })
		},
		"client-go's EventSinkImpl": func() events.Sink {
			return overClient(func(c kubernetes.Interface) events.Sink {
				return &clientevents.EventSinkImpl{Interface: c.EventsV1()}
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			eventstest.TestSink(t, func(*testing.T) events.Sink { return newSink() })
		})
	}
}

// held is a sink with a client whose server can be made to wait.
type held struct {
	events.Sink

	mu   sync.Mutex // guards gate
	gate chan struct{}
}

func overClient(newSink func(kubernetes.Interface) events.Sink) *held {
	client := eventstest.NewClientset()
	h := &held{Sink: newSink(client)}
	client.Fail(h.wait)
	return h
}

func (h *held) Hold() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.gate = make(chan struct{})
}

func (h *held) Release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	close(h.gate)
	h.gate = nil
}

func (h *held) wait(ctx context.Context, _ eventstest.Request) error {
	h.mu.Lock()
	gate := h.gate
	h.mu.Unlock()
	if gate == nil {
		return nil
	}
	select {
	case <-gate:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
