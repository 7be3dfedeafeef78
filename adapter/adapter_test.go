// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/legacy"
)

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// New, its recorders and what they record before Start send nothing and start no goroutine.
func TestNewDoesNothing(t *testing.T) {
	client, err := kubernetes.NewForConfig(&rest.Config{
		Host: "https://server.invalid",
		Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			t.Errorf("%s %s before Start", r.Method, r.URL)
			return nil, errors.New("not now")
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	// A bubble reports goroutines that are left when it ends.
	synctest.Test(t, func(t *testing.T) {
		before := bubbleGoroutines()
		a := adapter.New(t.Context(), client, quiet)
		rec, old := a.Recorder(controller), legacy.AsLegacy(a.Recorder(controller))
		emit(rec, 3, "default", "web")
		old.Event(fixture.Pod("default", "web"), "Normal", "Killing", "bye")
		a.Snapshot(0)
		a.Stats()
		time.Sleep(time.Hour)
		if after := bubbleGoroutines(); after > before {
			t.Errorf("%d goroutines, %d before New", after, before)
		}
		checkAccounts(t, a, 0, 4, nil)
	})
}

// The end of the stop channel, or of New's context, is the end of the component. Package events has all orders of stops.
func TestStopChannel(t *testing.T) {
	for _, byContext := range []bool{false, true} {
		fixture.InBubble(t, fmt.Sprint("by New's context: ", byContext), func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			a, stop := adapter.New(ctx, newCluster(), quiet), make(chan struct{})
			emit(a.Recorder(controller), 2, "default", "web")
			a.StartRecordingToSink(stop)
			if byContext {
				cancel()
			} else {
				close(stop)
			}
			time.Sleep(6 * time.Second) // the default drain timeout and a second
			emit(a.Recorder(controller), 1, "default", "late")
			checkAccounts(t, a, 2, 0, map[events.DropReason]int64{events.DropStopped: 1})
			if err := a.Start(context.Background()); err == nil {
				t.Error("Start after the end reports no error")
			}
		})
	}
}

// lossy is a sink whose Flush loses what it has taken.
type lossy struct{ events.Sink }

var errLossy = errors.New("the disk is full")

func (lossy) Flush(context.Context) error { return errLossy }

// What is abandoned of series and of what is correlated is added up, beside it is the error of the sink that is flushed, and a
// second Drain says the same.
//
// Caught: one of the errors that hides another one.
func TestDrainAddsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.ServeEventsV1(false)
		c.Fail(unavailable)
		a := adapter.New(t.Context(), c, quiet, adapter.WithSink(func(api events.Sink) events.Sink { return lossy{api} }))
		rec := a.Recorder(controller)
		emit(rec, 2, "default", "web")
		if err := a.Start(context.Background()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		checkAPI(t, a, adapter.ModeLegacy)
		emit(rec, 4, "default", "db")
		time.Sleep(10 * time.Second)
		for range 2 {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			var lost *events.AbandonedError
			err := a.Drain(ctx)
			if !errors.As(err, &lost) || !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, errLossy) {
				t.Fatalf("Drain() = %v, want an AbandonedError that wraps the context's, and the sink's error", err)
			}
			if lost.Occurrences != 6 || lost.Series != 1+4 || lost.Stuck != 0 || lost.Unconfirmed != a.Stats().Unconfirmed {
				t.Errorf("abandoned: %+v, want 6 occurrences of a series and 4 others", lost)
			}
		}
		checkAccounts(t, a, 0, 0, map[events.DropReason]int64{events.DropAbandoned: 6})
	})
}

// bubbleGoroutines is how many goroutines the bubble of the test has. [runtime.NumGoroutine] also counts those outside,
// such as one that runs finalizers.
func bubbleGoroutines() int {
	stacks := make([]byte, 1<<20)
	return bytes.Count(stacks[:runtime.Stack(stacks, true)], []byte(", synctest bubble "))
}

// ignoring is a sink whose Flush ignores its context until release is closed. It must not be entered twice.
type ignoring struct {
	events.Sink
	release        chan struct{}
	inside, called atomic.Int32
	twice          atomic.Bool
}

func (s *ignoring) Flush(context.Context) error {
	s.called.Add(1)
	if s.inside.Add(1) > 1 {
		s.twice.Store(true)
	}
	defer s.inside.Add(-1)
	<-s.release
	return nil
}

// A Drain and a Shutdown return in their time, whatever ignores its context.
//
// Caught: a flush of the sink that the drain waits for; one beside that of the drain; a probe that the drain waits for.
func TestTheEndWaitsForNobodyWhoIgnoresIt(t *testing.T) {
	for _, after := range []time.Duration{-1, 0, time.Hour} {
		for _, shutdown := range []bool{false, true} {
			name := fmt.Sprintf("%v after the end of the context, by Shutdown: %t: ", after, shutdown)
			fixture.InBubble(t, name+"Flush", func(t *testing.T) {
				s := &ignoring{release: make(chan struct{})}
				defer close(s.release)
				err := endOf(t, newCluster(), after, shutdown,
					adapter.WithSink(func(api events.Sink) events.Sink { s.Sink = api; return s }))
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("Drain() = %v, want that a Flush has ignored its deadline", err)
				}
				if called := s.called.Load(); s.twice.Load() || called != 1 {
					t.Errorf("%d flushes, two at a time: %t", called, s.twice.Load())
				}
			})
			fixture.InBubble(t, name+"discovery", func(t *testing.T) {
				c := newCluster()
				c.ProbeHang = make(chan struct{})
				defer close(c.ProbeHang)
				var lost *events.AbandonedError
				if err := endOf(t, c, after, shutdown); !errors.As(err, &lost) || lost.Stuck != 1 {
					t.Errorf("Drain() = %v, want one that is stuck", err)
				}
			})
		}
	}
}

// endOf ends an adapter a time after its context, and returns Drain's error. All is written.
func endOf(t *testing.T, c *cluster, after time.Duration, shutdown bool, opts ...adapter.Option) (err error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	a := adapter.New(context.Background(), c.Client(), append(opts, quiet)...)
	if err := a.Start(ctx); err != nil {
		t.Fatal(err)
	}
	emit(a.Recorder(controller), 1, "shop", "web")
	synctest.Wait() // discovery is asked
	if after >= 0 {
		cancel()
		time.Sleep(after)
	}
	began, ended := time.Now(), make(chan struct{})
	go func() {
		defer close(ended)
		if shutdown {
			a.Shutdown()
		}
		bounded, stop := context.WithTimeout(context.Background(), time.Second)
		defer stop()
		err = a.Drain(bounded)
	}()
	select {
	case <-ended:
	case <-time.After(time.Hour):
		t.Fatal("it has not ended after an hour")
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	checkAccounts(t, a, 1, 0, nil)
	return err
}

// The adapter is started twice and ended in three ways at the same time, while others record, log, flush and look, and
// while the API comes and goes. Every occurrence is recorded or dropped then, and the server has what is recorded.
//
// Caught: a Start that does not ask whether it is the first (two ends, two probers).
func TestEverythingAtOnceConcurrentSafe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.ProbeLatency.Store(int64(time.Millisecond))
		a := adapter.New(t.Context(), c.Client(), quiet)
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		var all sync.WaitGroup
		var started atomic.Int64
		const callers, rounds = 4, 40
		for caller := range callers {
			rec, old := a.Recorder(controller), legacy.AsLegacy(a.Recorder(controller))
			all.Go(func() {
				for i := range rounds {
					emit(rec, 1, fmt.Sprint("ns-", i%3), fmt.Sprint("web-", i%7))
					old.Event(fixture.Pod("ns-0", "lease"), "Normal", "LeaderElection", "me")
					time.Sleep(time.Duration(caller+i%3) * time.Millisecond / 2)
				}
			})
		}
		for range 2 {
			all.Go(func() {
				if a.Start(ctx) == nil {
					started.Add(1)
				}
			})
			all.Go(func() {
				for range 10 {
					stop := a.StartStructuredLogging(10)
					soon, cancel := context.WithTimeout(ctx, 2*time.Millisecond)
					_ = a.Flush(soon) // may be cut off
					cancel()
					stop()
					a.Snapshot(0).Remedy()
					fixture.CheckConserved(t, a.Stats())
				}
			})
		}
		all.Go(func() {
			for i := range 10 {
				c.ServeEventsV1(i%2 == 1)
				time.Sleep(3 * time.Millisecond)
			}
		})
		time.Sleep(25 * time.Millisecond)
		all.Go(cancel)
		all.Go(a.Shutdown)
		all.Go(func() { _ = a.Drain(context.Background()) })
		all.Wait()
		a.Shutdown()
		s := a.Stats()
		fixture.CheckConserved(t, s)
		var stored int64
		for _, e := range c.Events() {
			stored += count(&e)
		}
		if s.Observed != 2*callers*rounds || s.Pending != 0 || s.Recorded == 0 || s.Dropped[events.DropStopped] == 0 ||
			started.Load() != 1 || stored < s.Recorded || stored > s.Recorded+s.Unconfirmed {
			t.Errorf("%d calls, %d times started, the server counts %d: %+v",
				2*callers*rounds, started.Load(), stored, s)
		}
	})
}
