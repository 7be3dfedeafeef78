// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/request"
)

// held is a server that refuses one Event for now, as the adapter has found out.
type held struct {
	*eventstest.Sink
	asked atomic.Int32
}

func (s *held) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	if e.Regarding.Name == "held" {
		s.asked.Add(1)
		return nil, &request.Override{
			Verdict: request.Verdict{Action: request.Forbidden, Gate: request.Namespace, Hold: true}, Err: errForbidden,
		}
	}
	return s.Sink.Create(ctx, e)
}

// What concerns one Event alone for now waits by itself: the others of its namespace go on, and it is tried at most
// seven times in the first minute, twice a minute later on, and as fast as the gate lets it while somebody waits.
//
// Caught: an answer whose Hold is lost on its way to the series; a Flush that gave up and goes on forcing.
func TestHeldWriteWaitsByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &held{Sink: eventstest.NewSink()}
		b, rec := start(t, sink)
		record(rec, 1, "held")
		for i := range int64(60) {
			record(rec, 1, fmt.Sprint("web-", i))
			time.Sleep(time.Second)
			if s := b.Stats(); s.Recorded != i+1 {
				t.Errorf("after %d s: recorded %d, want each of the others at once", i+1, s.Recorded)
			}
		}
		if n := sink.asked.Load(); n > 7 {
			t.Errorf("%d requests in the first minute, want 7 at most", n)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if b.Flush(ctx) == nil {
			t.Error("Flush: no error")
		}
		sink.asked.Store(0)
		time.Sleep(10 * time.Minute)
		if n := sink.asked.Load(); n > 24 {
			t.Errorf("%d requests in ten minutes after a flush that gave up, want two a minute", n)
		}
		checkDropped(t, b, nil)
	})
}

// leaver is a sink that ends the goroutine that calls it, as a t.FailNow in a fake does.
type leaver struct {
	*eventstest.Sink
	leave atomic.Int32
}

func (s *leaver) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	if s.leave.Add(-1) >= 0 {
		_, _ = s.Sink.Create(ctx, e)
		runtime.Goexit()
	}
	return s.Sink.Create(ctx, e)
}

// A sink that ends the worker's goroutine has not answered: the write is tried again, and others go on.
//
// Caught: a series that stays in flight for ever.
func TestSinkThatEndsItsGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &leaver{Sink: eventstest.NewSink()}
		sink.leave.Store(10)
		b, rec := start(t, sink, events.WithMaxInFlight(2))
		for i := range 5 {
			record(rec, 1, fmt.Sprint("web-", i))
		}
		time.Sleep(10 * time.Minute)
		if s := b.Stats(); s.Recorded != 5 || s.Pending != 0 {
			t.Errorf("recorded %d, %d pending, want all 5 recorded", s.Recorded, s.Pending)
		}
	})
}

// A Flush before Start writes in goroutines of its own: what one of them wrote that ends is written again.
func TestFlushThatASinkEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &leaver{Sink: eventstest.NewSink()}
		sink.leave.Store(1)
		b := events.NewBroadcaster(sink, quiet)
		defer b.Shutdown()
		record(newRecorder(b), 1, "web")
		flush(t, b)
		if s := b.Stats(); s.Retries != 1 || s.Recorded != 1 {
			t.Errorf("%d retries, %d recorded, want 1 of each", s.Retries, s.Recorded)
		}
	})
}
