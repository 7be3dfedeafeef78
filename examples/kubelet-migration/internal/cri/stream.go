// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package cri

import (
	"context"
	"errors"
	"time"
)

// ErrStream says that the runtime does not stream events at the moment.
var ErrStream = errors.New("cri: the event stream is down")

// streamSize is how many events a consumer may be behind before its stream
// ends, which tells it to list again.
const streamSize = 1000

// EventType is what happened to a container.
type EventType string

// The events of a stream.
const (
	ContainerCreated EventType = "ContainerCreated"
	ContainerStarted EventType = "ContainerStarted"
	ContainerStopped EventType = "ContainerStopped"
	ContainerDeleted EventType = "ContainerDeleted"
)

// Event is a message of the stream. Like a CRI event it carries the state of
// the whole pod just after the change, so that nobody needs to ask again. The
// receiver must not modify what it points to.
type Event struct {
	Type   EventType
	Pod    *Pod
	Status *PodStatus
}

type stream struct {
	events chan Event
	stop   func() bool
}

// Watch streams what happens from now on. The channel is closed when ctx ends,
// when the stream is cut, or when the receiver is too slow; some events may be
// missing then. While the stream is cut it fails with [ErrStream].
func (r *Runtime) Watch(ctx context.Context) (<-chan Event, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cut {
		return nil, ErrStream
	}
	s := &stream{events: make(chan Event, streamSize)}
	r.streams[s] = struct{}{}
	s.stop = context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.end(s)
	})
	return s.events, nil
}

// CutStream ends all streams and refuses new ones until [Runtime.RestoreStream].
func (r *Runtime) CutStream() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cut = true
	r.endStreams()
}

// RestoreStream makes [Runtime.Watch] work again.
func (r *Runtime) RestoreStream() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cut = false
}

// publish must be called with the lock held, so that every stream has the
// events in the order in which things happened.
func (r *Runtime) publish(p *pod, what EventType) {
	now := time.Now()
	for s := range r.streams {
		select {
		case s.events <- Event{Type: what, Pod: p.listing(now), Status: p.status(now)}:
		default:
			r.end(s)
		}
	}
}

// endStreams and end must be called with the lock held.
func (r *Runtime) endStreams() {
	for s := range r.streams {
		r.end(s)
	}
}

func (r *Runtime) end(s *stream) {
	if _, open := r.streams[s]; open {
		delete(r.streams, s)
		s.stop()
		close(s.events)
	}
}
