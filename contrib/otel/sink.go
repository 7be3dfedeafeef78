// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package otelevents

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/log"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/eventseries/eventseries"
	"github.com/eventseries/eventseries/events"
)

// scope is the instrumentation scope of all records.
const scope = "github.com/eventseries/eventseries/contrib/otel"

const (
	// maxWaiting bounds the records that wait for a provider that blocks.
	maxWaiting = 4096
	// patience is how long a write waits for a provider that is slower than the API
	// server. It is below the second after which the SDK takes a namespace for slow.
	patience = 500 * time.Millisecond
)

// Sink emits a log record for each write. It is safe for concurrent use. Make one with
// [NewSink].
type Sink struct {
	provider log.LoggerProvider
	logger   log.Logger
	lost     atomic.Int64

	mu       sync.Mutex // guards the rest
	waiting  []emission
	emitting bool          // there is a goroutine that emits what waits
	room     chan struct{} // closed when there is room; nil unless a write waits for that
	stuck    bool          // a write has waited in vain since the last record was emitted
}

// emission is a record and the context with its trace, or a call of Flush.
type emission struct {
	ctx    context.Context
	record log.Record
	flush  chan struct{} // closed when all before it is emitted; nil for a record
}

var (
	_ events.Sink    = (*Sink)(nil)
	_ events.Flusher = (*Sink)(nil)
)

// NewSink returns a sink that emits to a logger of provider. The caller shuts the provider
// down, after the broadcaster.
func NewSink(provider log.LoggerProvider) (s *Sink, err error) {
	if provider == nil {
		return nil, errors.New("otelevents: the provider is nil; pass one of go.opentelemetry.io/otel/sdk/log")
	}
	defer func() { // such as a nil pointer that is not a nil interface
		if p := recover(); p != nil {
			s, err = nil, fmt.Errorf("otelevents: the provider, a %T, panicked: %v", provider, p)
		}
	}()
	logger := provider.Logger(scope, log.WithInstrumentationVersion(eventseries.Version()))
	return &Sink{provider: provider, logger: logger}, nil
}

// Create implements [events.Sink].
func (s *Sink) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	return nil, s.write(ctx, event)
}

// Patch implements [events.Sink].
func (s *Sink) Patch(ctx context.Context, event *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return nil, s.write(ctx, event)
}

// errFull is an answer that a broadcaster tries again after a second.
var errFull = apierrors.NewTooManyRequests("otelevents: the provider blocks, and the queue of records is full", 1)

func (s *Sink) write(ctx context.Context, event *eventsv1.Event) error {
	write, known := events.WriteFromContext(ctx)
	if known && write.Delta == 0 {
		return nil // it reads the version
	}
	return s.put(ctx, emission{ctx: traceOf(event), record: newRecord(event, write, known)})
}

// put waits for room in the queue, unless another write has waited in vain since a record
// was emitted last.
func (s *Sink) put(ctx context.Context, e emission) error {
	for {
		room, err := s.tryPut(e)
		if room == nil {
			return err
		}
		select {
		case <-room:
		case <-ctx.Done():
			return errFull
		case <-time.After(patience):
			s.mu.Lock()
			s.stuck = true
			s.mu.Unlock()
		}
	}
}

// tryPut returns a channel that is closed when there may be room, if there is none now.
func (s *Sink) tryPut(e emission) (room <-chan struct{}, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case len(s.waiting) < maxWaiting:
	case s.stuck:
		return nil, errFull
	default:
		if s.room == nil {
			s.room = make(chan struct{})
		}
		return s.room, nil
	}
	s.waiting = append(s.waiting, e)
	if !s.emitting {
		s.emitting = true
		go s.emit()
	}
	return nil, nil
}

// emit emits what waits, in a goroutine that ends when nothing does. This module is one of its
// own, so it does not share the SDK's internal/lifecycle. If the provider panics or ends the
// goroutine, that record is lost and another goroutine goes on.
func (s *Sink) emit() {
	finished := false
	defer func() {
		if !finished {
			s.lost.Add(1)
			go s.emit()
			report(recover())
		}
	}()
	for e, ok := s.next(); ok; e, ok = s.next() {
		if e.flush != nil {
			close(e.flush)
			continue
		}
		s.logger.Emit(e.ctx, e.record)
	}
	finished = true
}

// report calls OpenTelemetry's error handler, which the program may have set.
func report(cause any) {
	defer func() { _ = recover() }()
	otel.Handle(fmt.Errorf("otelevents: a record is lost, because its provider panicked: %v", cause))
}

// next takes the oldest record. If there is none, the goroutine must end.
func (s *Sink) next() (e emission, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) == 0 {
		s.waiting = nil
		s.emitting = false
		return emission{}, false
	}
	e, s.waiting[0] = s.waiting[0], emission{}
	s.waiting = s.waiting[1:]
	s.stuck = false
	if s.room != nil {
		close(s.room)
		s.room = nil
	}
	return e, true
}

// Flush implements [events.Flusher]: it returns when every record that was taken before is
// with the provider, and the provider has exported it, as far as its ForceFlush says.
func (s *Sink) Flush(ctx context.Context) error {
	if emitted := s.mark(); emitted != nil {
		select {
		case <-emitted:
		case <-ctx.Done():
			return fmt.Errorf("otelevents: the provider blocks: %w", ctx.Err())
		}
	}
	if p, ok := s.provider.(interface{ ForceFlush(context.Context) error }); ok {
		if err := p.ForceFlush(ctx); err != nil {
			return fmt.Errorf("otelevents: the provider did not export all records: %w", err)
		}
	}
	return nil
}

// mark returns a channel that is closed when all that was taken before is emitted, or nil if
// it is.
func (s *Sink) mark() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.emitting {
		return nil
	}
	if n := len(s.waiting); n == 0 || s.waiting[n-1].flush == nil {
		s.waiting = append(s.waiting, emission{flush: make(chan struct{})})
	}
	return s.waiting[len(s.waiting)-1].flush
}

// Lost returns the number of records that were lost because the provider panicked.
func (s *Sink) Lost() int64 { return s.lost.Load() }
