// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
)

// starts are the ways to start a broadcaster that ends along with a context.
var starts = map[string]func(*testing.T, *events.Broadcaster, context.Context){
	"Start": func(t *testing.T, b *events.Broadcaster, ctx context.Context) {
		if err := b.Start(ctx); err != nil {
			t.Error(err)
		}
	},
	"StartRecordingToSink": func(_ *testing.T, b *events.Broadcaster, ctx context.Context) {
		b.StartRecordingToSink(ctx.Done())
	},
}

// The natural code, Start(ctx), work until ctx ends, and Shutdown last, loses nothing of what is said on the way out.
//
// Caught: a drain that begins with the end of the context; one that is over before what is said takes its time.
func TestEndOfTheContextLosesNothing(t *testing.T) {
	for name, begin := range starts {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink, log := eventstest.NewSink(), &testlog.Log{}
				b := events.NewBroadcaster(sink, events.WithLogger(klog.New(log)))
				ctx, cancel := context.WithCancel(context.Background())
				begin(t, b, ctx)
				rec := newRecorder(b)
				say := func(reason string) { rec.Eventf(newPod("web"), nil, "Normal", reason, "Run", "note") }
				say("Working")
				cancel()
				say("Stopping")
				time.Sleep(stopTimeout - time.Second)
				say("Stopped")
				b.Shutdown()
				if n := len(sink.Events()); n != 3 {
					t.Errorf("%d Events, want Working, Stopping and Stopped", n)
				}
				checkDropped(t, b, nil)
				if lines := log.Take(); len(lines) != 0 {
					t.Errorf("logged %q", lines)
				}
			})
		})
	}
}

// What is pending is written as soon as the context ends, for who is killed before Shutdown.
//
// Caught: a count that waits for the drain; a gate that stays closed until then.
func TestEndOfTheContextHurries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b := events.NewBroadcaster(sink, quiet)
		defer b.Shutdown()
		ctx, cancel := context.WithCancel(context.Background())
		starts["Start"](t, b, ctx)
		rec := newRecorder(b)
		record(rec, 2, "web")
		synctest.Wait()
		record(rec, 5, "web")
		sink.FailNext(1, apierrors.NewTooManyRequests("APF", 200))
		record(rec, 1, "other")
		synctest.Wait()
		if s := b.Stats(); s.Recorded != 2 {
			t.Fatalf("recorded %d before the end, want 2", s.Recorded)
		}
		cancel()
		synctest.Wait()
		if s := b.Stats(); s.Pending != 0 || s.Recorded != 8 {
			t.Errorf("recorded %d and %d pending, want all 8 recorded", s.Recorded, s.Pending)
		}
	})
}

// Nobody calls Shutdown: the broadcaster drains by itself, and what comes later is Stopped.
func TestEndOfTheContextWithoutShutdown(t *testing.T) {
	for name, begin := range starts {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := events.NewBroadcaster(eventstest.NewSink(), quiet)
				before := len(goroutines())
				ctx, cancel := context.WithCancel(context.Background())
				begin(t, b, ctx)
				rec := newRecorder(b)
				cancel()
				time.Sleep(stopTimeout - 1)
				record(rec, 1, "in-time")
				time.Sleep(1)
				synctest.Wait()
				record(rec, 1, "late")
				if n := len(goroutines()); n != before {
					t.Errorf("%d goroutines, want %d", n, before)
				}
				if n := b.Stats().Recorded; n != 1 {
					t.Errorf("recorded %d, want 1", n)
				}
				checkDropped(t, b, map[events.DropReason]int64{events.Stopped: 1})
			})
		})
	}
}

// What is recorded after the end is a line that says what to do, and how many there are each time they have doubled.
//
// Caught: a drop that nobody hears of; a line for each.
func TestLogOfTheLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &testlog.Log{}
		b, rec := start(t, eventstest.NewSink(), events.WithLogger(klog.New(log)))
		b.Shutdown()
		record(rec, 1, "web")
		testlog.CheckLine(t, log.Take(), "info: ", "the broadcaster is shut down", "call Drain or Shutdown after", `reason="Killing"`, `dropped="1"`)
		rec.Eventf(nil, nil, "Normal", "Killing", "Kill", "about nothing")
		testlog.CheckLine(t, log.Take(), `dropped="2"`)
		record(rec, 1000, "web")
		lines := log.Take()
		if len(lines) != 8 {
			t.Fatalf("%d lines for a thousand: %q", len(lines), lines)
		}
		testlog.CheckLine(t, lines[7:], `dropped="512"`)
	})
}

// A slow handler holds Drain no longer than its context: what it has not handled then counts as WatcherDropped.
//
// Caught: a watcher that goes on with its queue of a thousand; one that returns and counts nothing.
func TestDrainGivesUpOnASlowWatcher(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, rec := start(t, eventstest.NewSink())
		handled := 0
		must[func()](t)(b.StartEventWatcher(func(runtime.Object) { time.Sleep(700 * time.Millisecond); handled++ }))
		for i := range 500 {
			record(rec, 1, fmt.Sprint("web-", i))
		}
		began := time.Now()
		if lost := drain(t, b, 2*time.Second); lost != nil {
			t.Errorf("Drain: %v, want everything written and nobody stuck", lost)
		}
		if took := time.Since(began); took > 2100*time.Millisecond {
			t.Errorf("Drain took %v, want its context and the handler that was under way", took)
		}
		if n := b.Stats().WatcherDropped; handled+int(n) != 500 || handled != 3 {
			t.Errorf("handled %d, dropped %d, want 3 and the rest of 500", handled, n)
		}
	})
}

// A send that races the end is handled or counted.
func TestWatchersCountEverySendConcurrentSafe(t *testing.T) {
	for range 50 {
		b := events.NewBroadcaster(nil, quiet)
		rec := newRecorder(b)
		handled := 0
		must[func()](t)(b.StartEventWatcher(func(runtime.Object) { handled++ }))
		done := make(chan struct{})
		go func() {
			defer close(done)
			record(rec, 500, "web")
		}()
		b.Shutdown()
		<-done
		s := b.Stats()
		if seen := int64(handled) + s.WatcherDropped; seen > 500 || seen < 500-s.Dropped[events.Stopped] {
			t.Fatalf("%d handled and %d counted of 500, %d of them after the end", handled, s.WatcherDropped, s.Dropped[events.Stopped])
		}
	}
}
