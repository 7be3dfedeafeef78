// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
)

// Each test holds Drain to a sentence of its contract.

// "Later occurrences count as Dropped[Stopped]."
func TestDrainStopsAdmission(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b, rec := start(t, sink)
		record(rec, 1, "web")
		if lost := drain(t, b, time.Second); lost != nil {
			t.Error(lost)
		}
		record(rec, 2, "web")
		record(rec, 3, "other")
		rec.Eventf(nil, nil, "Normal", "Killing", "Kill", "invalid, but that does not matter any more")
		checkDropped(t, b, map[events.DropReason]int64{events.Stopped: 6})
		checkLog(t, sink, "create pod/web Killing\n")
	})
}

// "Final counts are written."
func TestDrainWritesFinalCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b, rec := start(t, sink)
		record(rec, 1, "web")
		flush(t, b)
		record(rec, 1, "web")
		flush(t, b)
		record(rec, 5, "web")
		record(rec, 1, "other")
		if lost := drain(t, b, time.Second); lost != nil {
			t.Error(lost)
		}
		for _, e := range sink.Events() {
			if want := map[string]int64{"web": 7, "other": 1}[e.Regarding.Name]; count(&e) != want {
				t.Errorf("%s has count %d, want %d", e.Regarding.Name, count(&e), want)
			}
		}
		if s := b.Stats(); s.Series != 0 || s.Pending != 0 || s.Recorded != 8 {
			t.Errorf("%+v", s)
		}
	})
}

// "Gates are cleared once so that every pending series is tried."
func TestDrainClearsGates(t *testing.T) {
	for name, err := range map[string]error{
		"of the server":    apierrors.NewTooManyRequests("APF", 600),
		"of the namespace": errForbidden,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink := eventstest.NewSink()
				sink.FailNext(1, err)
				b, rec := start(t, sink)
				record(rec, 1, "first")
				synctest.Wait()
				for i := range 20 {
					record(rec, 1, fmt.Sprint("web-", i))
				}
				synctest.Wait()
				if n := sink.Counts().Creates; n != 1 {
					t.Errorf("%d requests, want the gate closed after 1", n)
				}
				began := time.Now()
				if lost := drain(t, b, 5*time.Second); lost != nil {
					t.Error(lost)
				}
				if took := time.Since(began); took != 0 {
					t.Errorf("Drain waited for %v", took)
				}
			})
		})
	}
}

// "At ctx end, writes in flight are cancelled and awaited at most 1 s": here they return half a second later.
func TestDrainCancelsWritesInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &contexts{Sink: eventstest.NewSink(), linger: time.Second / 2}
		sink.Hold()
		b, rec := start(t, sink)
		record(rec, 3, "web")
		synctest.Wait()
		began := time.Now()
		lost := drain(t, b, 2*time.Second)
		if took := time.Since(began); took != 2500*time.Millisecond {
			t.Errorf("Drain took %v, want its 2 s and what the sink took to return", took)
		}
		if lost == nil || lost.Stuck != 0 || lost.Occurrences != 3 || lost.Series != 1 {
			t.Errorf("Drain: %+v", lost)
		}
		checkDropped(t, b, map[events.DropReason]int64{events.Abandoned: 3})
	})
}

// contexts is a sink that shows the contexts it is called with.
type contexts struct {
	*eventstest.Sink
	linger time.Duration // how long a cancelled call takes to return
	mu     sync.Mutex    // guards the rest
	all    []context.Context
}

func (s *contexts) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	s.mu.Lock()
	s.all = append(s.all, ctx)
	s.mu.Unlock()
	stored, err := s.Sink.Create(ctx, e)
	if err != nil {
		time.Sleep(s.linger)
	}
	return stored, err
}

type contextKey struct{}

// "Sink calls get a context detached from Start's, cancelled only when Drain gives up."
func TestSinkContextIsDetached(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(context.WithValue(t.Context(), contextKey{}, "value"))
		sink := &contexts{Sink: eventstest.NewSink()}
		sink.SetLatency(2 * time.Second)
		b := events.NewBroadcaster(sink, quiet)
		if err := b.Start(ctx); err != nil {
			t.Fatal(err)
		}
		record(newRecorder(b), 1, "web")
		synctest.Wait()
		cancel(errors.New("the end"))
		time.Sleep(time.Second)
		got := sink.all[0]
		if got.Err() != nil {
			t.Errorf("the write was cancelled with Start's context: %v", context.Cause(got))
		}
		if got.Value(contextKey{}) != "value" {
			t.Error("the values of Start's context are gone")
		}
		if deadline, ok := got.Deadline(); !ok || time.Until(deadline) != 29*time.Second {
			t.Errorf("deadline %v, want that of one attempt", deadline)
		}
		b.Shutdown()
		checkLog(t, sink.Sink, "create pod/web Killing\n")
	})
}

// "Concurrent and later calls wait for the first and return its result."
func TestDrainOnceConcurrentSafe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		sink.Hold()
		b, rec := start(t, sink)
		record(rec, 1, "web")
		first, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		began := time.Now()
		results := make(chan error, 5)
		var all sync.WaitGroup
		all.Go(func() { results <- b.Drain(first) })
		synctest.Wait()
		for range 3 {
			all.Go(func() { results <- b.Drain(t.Context()) })
		}
		all.Go(b.Shutdown)
		all.Wait()
		if took := time.Since(began); took != 3*time.Second {
			t.Errorf("took %v, want the first call's 3 s", took)
		}
		results <- b.Drain(t.Context())
		want := <-results
		if want == nil {
			t.Error("Drain: no error")
		}
		close(results)
		for got := range results {
			if !errors.Is(got, want) { // the very same
				t.Errorf("another call returned %v, want %v", got, want)
			}
		}
	})
}

// Shutdown is a Drain with WithDrainTimeout. So is the end of Start's ctx, once nobody has drained for as long; what was
// lost is logged.
func TestDrainTimeout(t *testing.T) {
	for name, end := range map[string]func(b *events.Broadcaster, cancel func()){
		"Shutdown": func(b *events.Broadcaster, _ func()) { b.Shutdown() },
		"the end of the ctx": func(b *events.Broadcaster, cancel func()) {
			cancel()
			time.Sleep(9*time.Second - 1)
			if b.Stats().Dropped[events.Abandoned] != 0 {
				t.Error("it did not wait for a Shutdown")
			}
			time.Sleep(9*time.Second + 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink, log := eventstest.NewSink(), &testlog.Log{}
				sink.Hold()
				b := events.NewBroadcaster(sink,
					events.WithDrainTimeout(9*time.Second), events.WithLogger(klog.New(log)))
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if err := b.Start(ctx); err != nil {
					t.Fatal(err)
				}
				record(newRecorder(b), 2, "web")
				synctest.Wait()
				log.Take()
				began := time.Now()
				end(b, cancel)
				synctest.Wait()
				if took := time.Since(began); took > 18*time.Second {
					t.Errorf("took %v", took)
				}
				testlog.CheckLine(t, log.Take(), "error: Events were lost", "2 occurrences of 1 series")
				if b.Shutdown(); len(log.Take()) > 0 { // deferred as well, say
					t.Error("one loss is logged twice")
				}
				checkDropped(t, b, map[events.DropReason]int64{events.Abandoned: 2})
			})
		})
	}
}

// Recording goes on while others drain: each occurrence is written, abandoned or Stopped.
func TestDrainWhileRecordingConcurrentSafe(t *testing.T) {
	sink := eventstest.NewSink()
	b, rec := start(t, sink)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range 200 {
				record(rec, 2, fmt.Sprint("web-", i%20))
			}
		})
	}
	if lost := drain(t, b, time.Minute); lost != nil {
		t.Error(lost)
	}
	all.Wait()
	s := b.Stats()
	checkConserved(t, s)
	if s.Observed != 1600 || s.Recorded+s.Dropped[events.Stopped] != 1600 {
		t.Errorf("%+v", s)
	}
}
