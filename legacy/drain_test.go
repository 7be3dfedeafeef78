// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/events"
)

func TestDrainTriesEverythingOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &server{script: func(sinkCall) error { return unavailable() }}
		b, recorder := recordTo(sink)
		for i := range 10 {
			recorder.Event(pod(fmt.Sprint(i)), "Normal", "Started", "m")
		}
		time.Sleep(10 * time.Minute) // the gate is closed for half a minute at a time
		sink.answer(nil)
		start := time.Now()
		if err := b.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took > 0 {
			t.Errorf("Drain waited %v for a back-off, want it forgotten", took)
		}
		recorder.Event(pod("late"), "Normal", "Started", "m")
		checkStats(t, b.Stats(), map[string]int64{"Observed": 11, "Recorded": 10, "Stopped": 1})
	})
}

func TestDrainReportsWhatIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		lost := map[events.DropReason]int64{}
		sink := &server{script: func(r sinkCall) error {
			if r.Event.Namespace == "slow" {
				return context.DeadlineExceeded
			}
			return nil
		}}
		b, recorder := recordTo(sink, events.WithDropHandler(func(d events.Drop) {
			mu.Lock()
			defer mu.Unlock()
			lost[d.Reason] += d.Occurrences
		}))
		for i := range 4 {
			recorder.Event(podIn("slow", fmt.Sprint(i%2)), "Normal", "Started", fmt.Sprint(i))
		}
		recorder.Event(pod("fine"), "Normal", "Started", "m")
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		err := b.Drain(ctx)
		var abandoned *events.AbandonedError
		if !errors.As(err, &abandoned) || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("Drain() = %v, want an AbandonedError that wraps the end of the context", err)
		}
		want := &events.AbandonedError{
			Occurrences: 4, Series: 4, Unconfirmed: 2, Busiest: []events.AbandonedIn{{
				Namespace: "slow", Occurrences: 4, LastError: "context deadline exceeded",
				Regarding: corev1.ObjectReference{Namespace: "slow"},
			}},
		}
		ignored := []cmp.Option{
			cmpopts.IgnoreFields(events.AbandonedError{}, "Err"),
			cmpopts.IgnoreFields(corev1.ObjectReference{}, "Kind", "Name", "UID", "APIVersion"),
		}
		if diff := cmp.Diff(want, abandoned, ignored...); diff != "" {
			t.Errorf("error (-want +got):\n%s", diff)
		}
		if again := b.Drain(t.Context()); !errors.Is(again, err) {
			t.Errorf("the second Drain() = %v, want the same", again)
		}
		checkStats(t, b.Stats(), map[string]int64{"Abandoned": 4, "Unconfirmed": 2, "Recorded": 1, "Pending": 0})
		if diff := cmp.Diff(map[events.DropReason]int64{events.Abandoned: 4}, lost); diff != "" {
			t.Errorf("the drop handler heard (-want +got):\n%s", diff)
		}
	})
}

// stuckSink takes no context, as any record.EventSink.
type stuckSink struct{ release chan struct{} }

func (s stuckSink) Create(e *corev1.Event) (*corev1.Event, error) { <-s.release; return e, nil }

func (s stuckSink) Update(e *corev1.Event) (*corev1.Event, error) { return e, nil }

func (s stuckSink) Patch(e *corev1.Event, _ []byte) (*corev1.Event, error) { return e, nil }

func TestDrainReportsStuckGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := stuckSink{make(chan struct{})}
		b, recorder := recordTo(sink)
		b.StartEventWatcher(func(*corev1.Event) { <-sink.release })
		recorder.Event(pod("a"), "Normal", "Started", "m")
		synctest.Wait()
		start := time.Now()
		b.Shutdown()
		if took := time.Since(start); took != drainTimeout+time.Second {
			t.Errorf("Shutdown took %v, want %v", took, drainTimeout+time.Second)
		}
		var abandoned *events.AbandonedError
		err := b.Drain(t.Context())
		if !errors.As(err, &abandoned) || abandoned.Stuck != 2 || abandoned.Unconfirmed != 1 {
			t.Errorf("Drain() = %+v, want 2 stuck goroutines and 1 occurrence that may be written", err)
		}
		close(sink.release) // what comes back late must not be booked twice
		synctest.Wait()
		checkStats(t, b.Stats(), map[string]int64{"Abandoned": 1, "Recorded": 0})
	})
}

// Whoever joins waits for the first caller, and gets its result.
func TestConcurrentDrains(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &server{script: func(sinkCall) error { return unavailable() }}
		b, recorder := recordTo(sink)
		recorder.Event(pod("a"), "Normal", "Started", "m")
		var results [2]error
		var wg sync.WaitGroup
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			results[0] = b.Drain(ctx)
		})
		wg.Go(func() {
			time.Sleep(time.Second)
			results[1] = b.Drain(context.Background())
		})
		wg.Wait()
		if !errors.Is(results[0], context.DeadlineExceeded) || !errors.Is(results[1], results[0]) {
			t.Errorf("got %v, want the same error twice", results)
		}
	})
}

// TestStopOrders leaves no goroutine behind in whatever order things end; the
// bubble fails if one is left.
func TestStopOrders(t *testing.T) {
	orders := map[string]func(*Broadcaster, context.CancelFunc){
		"shutdown":         func(b *Broadcaster, _ context.CancelFunc) { b.Shutdown() },
		"shutdown twice":   func(b *Broadcaster, _ context.CancelFunc) { b.Shutdown(); b.Shutdown() },
		"context only":     func(_ *Broadcaster, cancel context.CancelFunc) { cancel() },
		"context first":    func(b *Broadcaster, cancel context.CancelFunc) { cancel(); b.Shutdown() },
		"context last":     func(b *Broadcaster, cancel context.CancelFunc) { b.Shutdown(); cancel() },
		"at the same time": func(b *Broadcaster, cancel context.CancelFunc) { go cancel(); b.Shutdown() },
		"drain with an ended context": func(b *Broadcaster, cancel context.CancelFunc) {
			ctx, end := context.WithCancel(context.Background())
			end()
			_ = b.Drain(ctx)
		},
	}
	for name, stop := range orders {
		for _, answer := range []error{nil, unavailable()} {
			t.Run(fmt.Sprintf("%s, answer %v", name, answer), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithCancel(context.Background())
					defer cancel()
					sink := &server{script: func(sinkCall) error { return answer }}
					b, recorder := recordTo(sink, WithContext(ctx))
					b.StartStructuredLogging(0)
					watched := b.StartEventWatcher(func(*corev1.Event) {})
					recorder.Event(pod("a"), "Normal", "Started", "m")
					stop(b, cancel)
					time.Sleep(2*drainTimeout + time.Second)
					synctest.Wait()
					recorder.Event(pod("a"), "Normal", "Started", "late")
					watched.Stop()
					if _, open := <-b.StartRecordingToSink(sink).ResultChan(); open {
						t.Error("recording starts after the end")
					}
					if _, open := <-b.StartEventWatcher(nil).ResultChan(); open {
						t.Error("watching starts after the end")
					}
					checkStats(t, b.Stats(), map[string]int64{"Observed": 2, "Pending": 0, "Stopped": 1})
				})
			})
		}
	}
}

// A watcher needs no sink, and neither does the end of the context.
//
// Caught: a context that ends only what has a sink; a Drain that asks for a start.
func TestStopWithoutSink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		b, release := NewBroadcaster(WithContext(ctx), quiet), make(chan struct{})
		b.StartEventWatcher(func(*corev1.Event) { <-release })
		b.NewRecorder(nil, kubelet).Event(pod("a"), "Normal", "Started", "m")
		cancel()
		time.Sleep(2*drainTimeout + time.Second)
		synctest.Wait()
		b.NewRecorder(nil, kubelet).Event(pod("a"), "Normal", "Started", "late")
		checkStats(t, b.Stats(), map[string]int64{"Filtered": 1, "Stopped": 1})
		var abandoned *events.AbandonedError
		err := b.Drain(context.Background())
		if !errors.As(err, &abandoned) || abandoned.Stuck != 1 || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Drain() = %v, want that the watcher is stuck", err)
		}
		close(release)
	})
}

func TestShutdownBeforeStart(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	b := NewBroadcaster(WithContext(ctx), quiet)
	if err := b.Drain(ctx); err != nil {
		t.Error(err)
	}
	b.NewRecorder(nil, kubelet).Event(pod("a"), "Normal", "Started", "m")
	checkStats(t, b.Stats(), map[string]int64{"Stopped": 1})
}

func TestFlushWaitsForWhatCameBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &server{script: takes(time.Second)}
		b, recorder := recordTo(sink)
		defer b.Shutdown()
		if err := b.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			recorder.Event(pod("a"), "Normal", "Started", fmt.Sprint(i))
		}
		start := time.Now()
		time.AfterFunc(time.Second/2, func() {
			for i := range 50 {
				recorder.Event(pod("b"), "Normal", "Started", fmt.Sprint("later ", i))
			}
		})
		if err := b.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("Flush took %v, want 3 s", took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := b.Flush(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Flush() = %v, want the end of its context", err)
		}
	})
}

func TestConcurrentShutdownConcurrentSafe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, recorder := recordTo(&server{script: takes(time.Millisecond)})
		var wg sync.WaitGroup
		for i := range 4 {
			wg.Go(func() {
				for range 50 {
					recorder.Event(pod(fmt.Sprint(i)), "Normal", "Started", "m")
					time.Sleep(time.Millisecond)
				}
			})
			wg.Go(func() {
				w := b.StartRecordingToSink(&server{script: takes(time.Millisecond)})
				time.Sleep(time.Duration(i) * 10 * time.Millisecond)
				w.Stop()
			})
		}
		time.Sleep(25 * time.Millisecond)
		wg.Go(b.Shutdown)
		wg.Go(func() { _ = b.Flush(context.Background()) })
		b.Shutdown()
		wg.Wait()
		checkStats(t, b.Stats(), map[string]int64{"Pending": 0, "Abandoned": 0})
	})
}
