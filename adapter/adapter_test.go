// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
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
		rec, old := a.NewRecorder(controller), a.DeprecatedNewLegacyRecorder(controller)
		emit(rec, 3, "default", "web")
		old.Event(newPod("default", "web"), "Normal", "Killing", "bye")
		a.Snapshot(0)
		a.Stats()
		time.Sleep(time.Hour)
		if after := bubbleGoroutines(); after > before {
			t.Errorf("%d goroutines, %d before New", after, before)
		}
		checkAccounts(t, a, 0, 4, nil)
	})
}

// What was recorded before Start is delivered by it, whichever way is used then.
func TestRecordedBeforeStart(t *testing.T) {
	for _, mode := range []adapter.API{adapter.Auto, adapter.EventsV1, adapter.CoreV1, adapter.Legacy} {
		for _, served := range []bool{true, false} {
			if mode == adapter.EventsV1 && !served {
				continue
			}
			t.Run(string(mode)+map[bool]string{true: ", served", false: ", not served"}[served], func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c := newCluster()
					c.ServeEventsV1(served)
					a := adapter.New(t.Context(), c, quiet, adapter.WithMode(mode))
					defer a.Shutdown()
					rec := a.NewRecorder(controller)
					emit(rec, 3, "default", "web")
					if err := a.Start(context.Background()); err != nil {
						t.Fatal(err)
					}
					flush(t, a)
					e := only(t, c)
					checkCount(t, &e, 3)
					checkAccounts(t, a, 3, 0, nil)
				})
			})
		}
	}
}

// stopping is one run of an adapter that has 2 occurrences from before its start. ctx is New's and Start's.
type stopping struct {
	*testing.T
	*adapter.Adapter
	ctx context.Context
	end context.CancelFunc
}

// begin starts the adapter, with 2 more occurrences.
func (s *stopping) begin() {
	s.Helper()
	if err := s.Start(s.ctx); err != nil {
		s.Errorf("Start() = %v", err)
	}
	emit(s.NewRecorder(controller), 2, "default", "api")
}

// afterTimeout is when the end of a context must have had its effect: the default drain timeout and a second.
func (s *stopping) afterTimeout() {
	s.Helper()
	time.Sleep(6 * time.Second)
	before := s.Stats().Dropped[events.Stopped]
	emit(s.NewRecorder(controller), 1, "default", "late")
	if got := s.Stats().Dropped[events.Stopped] - before; got != 1 {
		s.Errorf("Dropped[Stopped] rose by %d with an occurrence that came too late, want 1", got)
	}
}

// TestStops: whatever the order of stops, no goroutine is left. The bubble fails when one is.
func TestStops(t *testing.T) {
	never := make(chan struct{})
	tests := []struct {
		name string
		run  func(*stopping)
	}{
		{"never started", func(*stopping) {}},
		{"never started, Shutdown", func(s *stopping) { s.Shutdown() }},
		{"never started, Drain twice", func(s *stopping) {
			var lost *events.AbandonedError
			for range 2 {
				if err := s.Drain(s.ctx); !errors.As(err, &lost) || lost.Occurrences != 2 {
					s.Errorf("Drain() = %v, want 2 occurrences abandoned", err)
				}
			}
		}},
		{"Start, end of ctx", func(s *stopping) {
			s.begin()
			s.end()
			s.afterTimeout()
		}},
		{"Start, Shutdown, end of ctx", func(s *stopping) {
			s.begin()
			s.Shutdown()
			s.end()
		}},
		{"Start, end of ctx, Shutdown", func(s *stopping) {
			s.begin()
			s.end()
			s.Shutdown()
		}},
		{"Start, Drain twice, Shutdown", func(s *stopping) {
			s.begin()
			for range 2 {
				if err := s.Drain(s.ctx); err != nil {
					s.Errorf("Drain() = %v", err)
				}
			}
			s.Shutdown()
		}},
		{"Start, all at once", func(s *stopping) {
			s.begin()
			var all sync.WaitGroup
			all.Go(s.Shutdown)
			all.Go(func() { _ = s.Drain(context.Background()) })
			all.Go(s.end)
			all.Wait()
		}},
		{"Start with a context that ended", func(s *stopping) {
			s.end()
			s.begin()
			s.afterTimeout()
		}},
		{"Start twice", func(s *stopping) {
			s.begin()
			if err := s.Start(s.ctx); err == nil {
				s.Error("the second Start reports no error")
			}
			s.Shutdown()
		}},
		{"Shutdown, Start", func(s *stopping) {
			s.Shutdown()
			if err := s.Start(s.ctx); err == nil {
				s.Error("Start after Shutdown reports no error")
			}
		}},
		{"StartRecordingToSink, never closed", func(s *stopping) {
			s.StartRecordingToSink(never)
			s.Shutdown()
		}},
		{"StartRecordingToSink, nil", func(s *stopping) {
			s.StartRecordingToSink(nil)
			s.Shutdown()
		}},
		{"StartRecordingToSink, closed", func(s *stopping) {
			closed := make(chan struct{})
			s.StartRecordingToSink(closed)
			close(closed)
			s.afterTimeout()
		}},
		{"StartRecordingToSink, end of New's ctx", func(s *stopping) {
			s.StartRecordingToSink(never)
			s.end()
			s.afterTimeout()
		}},
	}
	for _, tt := range tests {
		for _, mode := range []adapter.API{adapter.Auto, adapter.Legacy} {
			t.Run(tt.name+", "+string(mode), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ctx, end := context.WithCancel(context.Background())
					defer end()
					a := adapter.New(ctx, newCluster(), quiet, adapter.WithMode(mode))
					emit(a.NewRecorder(controller), 2, "default", "web")
					tt.run(&stopping{t, a, ctx, end})
					checkConserved(t, a.Stats())
				})
			})
		}
	}
}

// The end of a probe or review that nobody answers does not hold up a stop.
func TestStopWhileAsking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.latency.Store(int64(time.Hour))
		a, _ := start(t, c)
		synctest.Wait()
		before := time.Now()
		a.Shutdown()
		if waited := time.Since(before); waited != 0 {
			t.Errorf("Shutdown took %v during a probe, want no time", waited)
		}
	})
}

// lossy is a sink whose Flush loses what it has taken.
type lossy struct{ events.Sink }

var errLossy = errors.New("the disk is full")

func (lossy) Flush(context.Context) error { return errLossy }

// What is abandoned of series and of what is correlated is added up, beside it is the error of the sink that is flushed, and a second Drain says
// the same.
//
// Caught: one of the errors that hides another one.
func TestDrainAddsUp(t *testing.T) {
	for name, tt := range map[string]struct{ series, old, abandonedSeries int }{
		"of both": {2, 4, 5}, "of events": {2, 0, 1}, "of legacy": {0, 4, 4},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster()
				c.ServeEventsV1(false)
				c.Fail(unavailable)
				a := adapter.New(t.Context(), c, quiet,
					adapter.WithSink(func(api events.Sink) events.Sink { return lossy{api} }))
				rec := a.NewRecorder(controller)
				emit(rec, tt.series, "default", "web")
				if err := a.Start(context.Background()); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				checkAPI(t, a, adapter.Legacy)
				emit(rec, tt.old, "default", "db")
				time.Sleep(10 * time.Second)
				for range 2 {
					checkDrainAddsUp(t, a, int64(tt.series+tt.old), int64(tt.abandonedSeries))
				}
				emit(rec, 1, "default", "web")
				checkAccounts(t, a, 0, 0, map[events.DropReason]int64{
					events.Abandoned: int64(tt.series + tt.old), events.Stopped: 1,
				})
			})
		})
	}
}

func checkDrainAddsUp(t *testing.T, a *adapter.Adapter, occurrences, series int64) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	before := time.Now()
	err := a.Drain(ctx)
	if waited := time.Since(before); waited > 2*time.Second {
		t.Errorf("Drain took %v, want its context's second and one more at most", waited)
	}
	if !errors.Is(err, errLossy) {
		t.Errorf("Drain() = %v, want the sink's error in it", err)
	}
	var lost *events.AbandonedError
	switch {
	case !errors.As(err, &lost) || !errors.Is(err, context.DeadlineExceeded):
		t.Errorf("Drain() = %v, want an AbandonedError that wraps the context's", err)
	case lost.Occurrences != occurrences || lost.Series != series || lost.Stuck != 0:
		t.Errorf("abandoned: %+v, want %d occurrences of %d series", lost, occurrences, series)
	case lost.Unconfirmed != a.Stats().Unconfirmed:
		t.Errorf("Unconfirmed = %d, Stats has %d", lost.Unconfirmed, a.Stats().Unconfirmed)
	}
}

// Flush covers series and what is correlated, and says what still waits when its context ends.
func TestFlush(t *testing.T) {
	for _, mode := range []adapter.API{adapter.EventsV1, adapter.Legacy} {
		t.Run(string(mode), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster()
				c.Fail(unavailable)
				a, rec := start(t, c, adapter.WithMode(mode),
					events.WithDrainTimeout(time.Second))
				emit(rec, 2, "default", "web")
				ctx, cancel := context.WithTimeout(context.Background(), time.Second)
				defer cancel()
				if err := a.Flush(ctx); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("Flush() = %v, want its context's error", err)
				}
				checkAccounts(t, a, 0, 2, nil)
				c.Fail(nil)
				flush(t, a)
				checkAccounts(t, a, 2, 0, nil)
			})
		})
	}
}

// bubbleGoroutines is how many goroutines the bubble of the test has. [runtime.NumGoroutine] also counts those outside,
// such as one that runs finalizers.
func bubbleGoroutines() int {
	stacks := make([]byte, 1<<20)
	return bytes.Count(stacks[:runtime.Stack(stacks, true)], []byte(", synctest bubble "))
}
