// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// buffer is a sink that buffers.
type buffer struct {
	*eventstest.Sink
	flush func(ctx context.Context, written int) error
}

func (b *buffer) Flush(ctx context.Context) error { return b.flush(ctx, len(b.Events())) }

// The sink is flushed when all is written, by Flush and by the end, and its error is theirs.
//
// Caught: a flush before the last write; a Drain without one; an error that gets lost.
func TestSinkIsFlushed(t *testing.T) {
	full := errors.New("the disk is full")
	ends := map[string]func(*events.Broadcaster) error{
		"Flush": func(b *events.Broadcaster) error { return b.Flush(context.Background()) },
		"Drain": func(b *events.Broadcaster) error { return b.Drain(context.Background()) },
		"Shutdown": func(b *events.Broadcaster) error {
			b.Shutdown()
			return b.Drain(context.Background()) // its result
		},
	}
	for name, end := range ends {
		for _, want := range []error{nil, full} {
			synctest.Test(t, func(t *testing.T) {
				var flushed atomic.Int64
				sink := &buffer{eventstest.NewSink(), func(_ context.Context, written int) error {
					if flushed.Add(1); written != 1 {
						t.Errorf("%s: %d Events written when the sink is flushed, want 1", name, written)
					}
					return want
				}}
				b, rec := start(t, sink)
				record(rec, 1, "web")
				if err := end(b); !errors.Is(err, want) {
					t.Errorf("%s = %v, want %v", name, err, want)
				}
				if n := flushed.Load(); n != 1 {
					t.Errorf("%s flushes the sink %d times, want once", name, n)
				}
			})
		}
	}
}

// An unstarted Flush flushes the sink, too.
func TestSinkIsFlushedUnstarted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		flushed := 0
		b := events.NewBroadcaster(&buffer{eventstest.NewSink(), func(context.Context, int) error {
			flushed++
			return nil
		}}, quiet)
		record(newRecorder(b), 1, "web")
		flush(t, b)
		if flushed != 1 {
			t.Errorf("flushed %d times, want once", flushed)
		}
	})
}

// A sink that panics, or that ignores its context, does not hold up the end.
func TestSinkFlushIsContained(t *testing.T) {
	t.Run("panic", func(t *testing.T) {
		b, _ := start(t, &buffer{eventstest.NewSink(), func(context.Context, int) error { panic("no disk") }})
		if err := b.Flush(t.Context()); err == nil || !strings.Contains(err.Error(), "no disk") {
			t.Errorf("Flush() = %v, want the panic", err)
		}
	})
	for name, end := range map[string]func(*events.Broadcaster, context.Context) error{
		"hangs in Flush": (*events.Broadcaster).Flush, "hangs in Drain": (*events.Broadcaster).Drain,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				defer close(release)
				b, rec := start(t, &buffer{eventstest.NewSink(), func(context.Context, int) error { <-release; return nil }})
				record(rec, 1, "web")
				began := time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
				defer cancel()
				if err := end(b, ctx); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%v, want the end of its context", err)
				}
				if took := time.Since(began); took != 4*time.Second {
					t.Errorf("it took %v, want its 3 seconds and one more", took)
				}
			})
		})
	}
	t.Run("goexit", func(t *testing.T) {
		b, _ := start(t, &buffer{eventstest.NewSink(), func(context.Context, int) error { runtime.Goexit(); return nil }})
		if err := b.Flush(t.Context()); err == nil || !strings.Contains(err.Error(), "ended its goroutine") {
			t.Errorf("Flush() = %v, want that the sink has ended the goroutine", err)
		}
	})
	t.Run("both", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			full := errors.New("the disk is full")
			sink := &buffer{eventstest.NewSink(), func(context.Context, int) error { return full }}
			sink.FailNext(-1, context.DeadlineExceeded)
			b, rec := start(t, sink)
			record(rec, 1, "web")
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			var lost *events.AbandonedError
			if err := b.Drain(ctx); !errors.Is(err, full) || !errors.As(err, &lost) || lost.Occurrences != 1 {
				t.Errorf("Drain() = %v, want one occurrence abandoned, and the sink's error", err)
			}
		})
	})
}
