// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// A bubble that is left with a goroutine in it fails its test, so that nothing here drains shows that nothing was
// started.

// Caught: workers that are only signalled; a flush that leaves series in the cache when they are over.
func TestUnstartedFlushWritesByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b := events.NewBroadcaster(sink, quiet)
		rec := newRecorder(b)
		record(rec, 2, "web")
		flush(t, b)
		time.Sleep(5 * time.Minute)
		record(rec, 1, "web")
		flush(t, b)
		time.Sleep(6 * time.Minute) // the finish interval
		record(rec, 1, "web")
		flush(t, b)
		const want = "create pod/web Killing count=2\npatch pod/web Killing count=3\ncreate pod/web Killing\n"
		if got := sink.Log(); got != want {
			t.Errorf("the sink saw\n%s\nwant\n%s", got, want)
		}
		if s := b.Stats(); s.Recorded != 4 || s.Pending != 0 || s.Series != 1 {
			t.Errorf("accounts %+v, want 4 recorded and one series left", s)
		}
		time.Sleep(6 * time.Minute)
		flush(t, b)
		if s := b.Stats(); s.Series != 0 {
			t.Errorf("%d series left after their end, want none", s.Series)
		}
	})
}

// A count that is unwritten when its series is over is written before the next one begins.
func TestUnstartedFlushEndsSeries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b := events.NewBroadcaster(sink, quiet)
		rec := newRecorder(b)
		record(rec, 1, "web")
		flush(t, b)
		record(rec, 2, "web")
		time.Sleep(time.Hour - time.Second)
		flush(t, b)
		record(rec, 1, "web")
		flush(t, b)
		const want = "create pod/web Killing\npatch pod/web Killing count=3\ncreate pod/web Killing\n"
		if got := sink.Log(); got != want {
			t.Errorf("the sink saw\n%s\nwant\n%s", got, want)
		}
	})
}

func TestUnstartedFlushRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b := events.NewBroadcaster(sink, quiet)
		record(newRecorder(b), 1, "web")
		sink.FailNext(-1, apierrors.NewServiceUnavailable("starting"))

		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		err := b.Flush(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "1 series") {
			t.Errorf("Flush while the server is down = %v, want 1 series and the deadline", err)
		}
		if s := b.Stats(); s.Pending != 1 {
			t.Errorf("pending %d, want 1: nothing is dropped", s.Pending)
		}
		sink.Heal()
		flush(t, b)
		if s := b.Stats(); s.Recorded != 1 {
			t.Errorf("recorded %d, want 1", s.Recorded)
		}
	})
}

func TestUnstartedFlushTellsOfInvalidOptions(t *testing.T) {
	b := events.NewBroadcaster(eventstest.NewSink(), events.WithMaxInFlight(-1))
	if err := b.Flush(t.Context()); err == nil || !strings.Contains(err.Error(), "WithMaxInFlight(-1)") {
		t.Errorf("Flush = %v, want what Start says about WithMaxInFlight", err)
	}
	watchersOnly := events.NewBroadcaster(nil)
	if err := watchersOnly.Flush(t.Context()); err != nil {
		t.Errorf("Flush without a sink = %v, want nothing to do", err)
	}
}

// A Start meanwhile takes over, and the flush returns when all is written, by whomever.
func TestUnstartedFlushAndStartConcurrentSafe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		sink.SetLatency(time.Millisecond)
		b := events.NewBroadcaster(sink, quiet)
		rec := newRecorder(b)
		for _, name := range []string{"a", "b", "c", "d"} {
			record(rec, 3, name)
		}
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() { flush(t, b) })
		}
		all.Go(func() {
			if err := b.Start(t.Context()); err != nil {
				t.Error(err)
			}
		})
		all.Wait()
		b.Shutdown()
		if s, n := b.Stats(), len(sink.Events()); s.Recorded != 12 || n != 4 {
			t.Errorf("recorded %d in %d Events, want 12 in 4", s.Recorded, n)
		}
	})
}

// counting is a sink that counts the writes under way.
type counting struct {
	events.Sink
	mu        sync.Mutex
	now, most int
}

func (c *counting) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	c.add(1)
	defer c.add(-1)
	return c.Sink.Create(ctx, e)
}

func (c *counting) add(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now += n
	c.most = max(c.most, c.now)
}

// Caught: flushes that are a worker more each, beside each other and beside those of Start.
func TestUnstartedFlushTakesTheFirstWorkersPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := eventstest.NewSink()
		slow.SetLatency(time.Second)
		sink := &counting{Sink: slow}
		b := events.NewBroadcaster(sink, quiet, events.WithMaxInFlight(1))
		rec := newRecorder(b)
		for _, name := range []string{"a", "b", "c", "d"} {
			record(rec, 1, name)
		}
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() { flush(t, b) })
		}
		synctest.Wait()
		if err := b.Start(t.Context()); err != nil {
			t.Error(err)
		}
		all.Wait()
		b.Shutdown()
		if n := len(slow.Events()); sink.most != 1 || n != 4 {
			t.Errorf("%d writes at a time and %d Events, want 1 and 4", sink.most, n)
		}
	})
}

// Caught: a write that a Drain neither cancels nor waits for.
func TestDrainCancelsUnstartedFlush(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		sink.Hold()
		b := events.NewBroadcaster(sink, quiet)
		record(newRecorder(b), 2, "web")
		var flushed sync.WaitGroup
		flushed.Go(func() { flush(t, b) })
		synctest.Wait()
		start := time.Now()
		if lost := drain(t, b, time.Minute); lost == nil || lost.Stuck != 0 || lost.Unconfirmed != 2 {
			t.Errorf("Drain = %v, want 2 occurrences unconfirmed and nobody stuck", lost)
		}
		if n := sink.Counts().Creates; n != 1 || time.Since(start) != 0 {
			t.Errorf("%d creates have returned after %v, want the one at once", n, time.Since(start))
		}
		flushed.Wait()
	})
}

// A Drain meanwhile abandons what the flush has not written, and the flush returns.
func TestDrainEndsUnstartedFlush(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		sink.FailNext(-1, apierrors.NewServiceUnavailable("down"))
		b := events.NewBroadcaster(sink, quiet)
		record(newRecorder(b), 2, "web")
		var flushed sync.WaitGroup
		flushed.Go(func() { flush(t, b) })
		synctest.Wait()
		var lost *events.AbandonedError
		if err := b.Drain(t.Context()); !errors.As(err, &lost) || lost.Occurrences != 2 {
			t.Errorf("Drain = %v, want 2 occurrences abandoned", err)
		}
		flushed.Wait()
	})
}
