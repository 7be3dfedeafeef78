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
	// maxWaiting is the maximum number of records in the queue.
	maxWaiting = 4096
	// patience is the time that a write waits for room in the queue. It is less than a second,
	// because after a second the SDK treats the namespace of a write as slow.
	patience = 500 * time.Millisecond
)

// Sink emits a log record for each write of a series. Make one with [NewSink]. It is safe for
// concurrent use.
type Sink struct {
	provider log.LoggerProvider
	logger   log.Logger
	lost     atomic.Int64

	// mu guards the fields below.
	mu sync.Mutex
	// waiting is the queue of records.
	waiting []emission
	// emitting reports that a goroutine emits the queue.
	emitting bool
	// room is closed when there is room in the queue. It is nil unless a write waits for room.
	room chan struct{}
	// stuck reports that a write has waited in vain since the last record was taken from the queue.
	stuck bool
}

// emission is an entry of the queue: a record and the context with its trace, or a mark of Flush.
type emission struct {
	ctx    context.Context
	record log.Record
	// flush is closed when everything before the mark was emitted. It is nil for a record.
	flush chan struct{}
}

var (
	_ events.Sink    = (*Sink)(nil)
	_ events.Flusher = (*Sink)(nil)
)

// NewSink returns a sink that emits records to provider. It returns an error if provider is nil or
// panics. The sink does not shut provider down; the caller does, after the broadcaster.
func NewSink(provider log.LoggerProvider) (s *Sink, err error) {
	if provider == nil {
		return nil, errors.New("otelevents: the provider is nil; pass one of go.opentelemetry.io/otel/sdk/log")
	}
	// A nil pointer in the interface panics, for example.
	defer func() {
		if p := recover(); p != nil {
			s, err = nil, fmt.Errorf("otelevents: the provider, a %T, panicked: %v", provider, p)
		}
	}()
	logger := provider.Logger(scope, log.WithInstrumentationVersion(eventseries.Version()))
	return &Sink{provider: provider, logger: logger}, nil
}

// Create implements [events.Sink]. It emits a record and stores nothing, so it returns a nil Event.
func (s *Sink) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	return nil, s.write(ctx, event)
}

// Patch implements [events.Sink]. It emits a record and stores nothing, so it returns a nil Event.
func (s *Sink) Patch(ctx context.Context, event *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return nil, s.write(ctx, event)
}

// errFull is the error of a write that finds no room. A broadcaster retries it after a second.
var errFull = apierrors.NewTooManyRequests("otelevents: the provider blocks, and the queue of records is full", 1)

func (s *Sink) write(ctx context.Context, event *eventsv1.Event) error {
	write, known := events.WriteFromContext(ctx)
	if known && write.Delta == 0 {
		// The write adds no occurrences. It only reads the version of the Event in the API server.
		return nil
	}
	return s.put(ctx, emission{ctx: inSpan(spanOf(event.Annotations)), record: newRecord(event, write, known)})
}

// put adds e to the queue. If the queue is full, it waits for room: until ctx ends, at most for
// patience, and not at all if another write has waited in vain since a record was last taken from
// the queue. It returns errFull if there was no room.
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

// tryPut adds e to the queue. If the queue is full, it returns a channel that is closed when there
// may be room, or errFull if the sink is stuck.
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

// emit emits the records in the queue, and returns when the queue is empty. If the provider panics
// or ends the goroutine, one record is lost, and another goroutine continues.
//
// This package uses a go statement instead of the SDK's internal/lifecycle, which it cannot import
// because it is a module of its own.
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

// report passes an error to the error handler of OpenTelemetry. The program may have replaced that
// handler, so a panic of it is ignored.
func report(cause any) {
	defer func() { _ = recover() }()
	otel.Handle(fmt.Errorf("otelevents: a record is lost, because its provider panicked: %v", cause))
}

// next takes the oldest entry from the queue. If ok is false, the queue is empty and the goroutine
// must end.
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

// Flush implements [events.Flusher]. It waits until the provider has received every record that was
// written before, and then calls ForceFlush of the provider, if it has that method, so that the
// records are exported. It returns an error if ctx ends first, or if ForceFlush fails.
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

// mark puts a mark into the queue and returns a channel that is closed when everything before the
// mark was emitted. It returns nil if the queue is empty and nothing is being emitted.
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

// Lost returns the number of records that were lost because the provider panicked. It is safe for
// concurrent use.
func (s *Sink) Lost() int64 { return s.lost.Load() }
