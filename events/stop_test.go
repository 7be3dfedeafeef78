// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

const stopTimeout = 5 * time.Second // the default of WithDrainTimeout

func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Error(err)
		}
		return value
	}
}

// goroutines returns the stacks of the goroutines of the bubble of the caller.
func goroutines() []string {
	stacks := make([]byte, 1<<20)
	all := strings.Split(string(stacks[:runtime.Stack(stacks, true)]), "\n\n")
	_, bubble, _ := strings.Cut(strings.SplitN(all[0], "\n", 2)[0], ", ")
	var ours []string
	for _, stack := range all {
		if strings.Contains(strings.SplitN(stack, "\n", 2)[0], bubble) {
			ours = append(ours, stack)
		}
	}
	return ours
}

// I6: no goroutine before Start or the first watcher, none after Drain or Shutdown returned, in whatever order and also
// when a stop channel is never closed; after "ctx only", none once twice WithDrainTimeout and a second have passed. Each
// order has one occurrence pending when it begins, and the server may or may not answer.
func TestI6EveryStopOrderIsLeakFree(t *testing.T) {
	type stage struct {
		*testing.T
		b      *events.Broadcaster
		ctx    context.Context
		cancel context.CancelFunc
	}
	begin := func(s *stage) {
		if err := s.b.Start(s.ctx); err != nil {
			s.Error(err)
		}
		synctest.Wait()
	}
	expired := func() context.Context {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		return ctx
	}
	drained := func(s *stage) { drain(s.T, s.b, time.Second) }
	timeOut := func() { time.Sleep(2*stopTimeout + time.Second) }
	watcher := func(s *stage) func() { return must[func()](s.T)(s.b.StartEventWatcher(func(kruntime.Object) {})) }
	for name, order := range map[string]func(s *stage){
		"never started":         func(*stage) {},
		"only shut down":        func(s *stage) { s.b.Shutdown() },
		"started, shut down":    func(s *stage) { begin(s); s.b.Shutdown() },
		"started, drained":      func(s *stage) { begin(s); drained(s) },
		"drained with no time":  func(s *stage) { begin(s); _ = s.b.Drain(expired()) },
		"drained twice":         func(s *stage) { begin(s); drained(s); drained(s) },
		"drained before start":  func(s *stage) { drained(s); _ = s.b.Start(s.ctx) },
		"drained by the ctx":    func(s *stage) { begin(s); s.cancel(); timeOut() },
		"ctx, then shut down":   func(s *stage) { begin(s); s.cancel(); s.b.Shutdown() },
		"shut down, then ctx":   func(s *stage) { begin(s); s.b.Shutdown(); s.cancel() },
		"ctx ended, drained":    func(s *stage) { begin(s); s.cancel(); synctest.Wait(); drained(s) },
		"started with dead ctx": func(s *stage) { s.cancel(); begin(s); timeOut() },
		"a stop channel that is never closed": func(s *stage) {
			s.b.StartRecordingToSink(make(chan struct{}))
			s.b.Shutdown()
		},
		"a nil stop channel": func(s *stage) { s.b.StartRecordingToSink(nil); s.b.Shutdown() },
		"a stop channel": func(s *stage) {
			stop := make(chan struct{})
			s.b.StartRecordingToSink(stop)
			close(stop)
			timeOut()
		},
		"started twice": func(s *stage) {
			begin(s)
			if s.b.StartRecordingToSinkWithContext(s.ctx) == nil {
				s.Error("the second start did not fail")
			}
			s.b.Shutdown()
		},
		"drained by many at once": func(s *stage) {
			begin(s)
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() { drained(s) })
				all.Go(s.b.Shutdown)
				all.Go(s.cancel)
			}
			all.Wait()
		},
		"only a watcher":            func(s *stage) { watcher(s); s.b.Shutdown() },
		"a watcher, stopped":        func(s *stage) { watcher(s)() },
		"a watcher, stopped twice":  func(s *stage) { stop := watcher(s); stop(); stop() },
		"a watcher, stopped late":   func(s *stage) { stop := watcher(s); begin(s); s.b.Shutdown(); stop() },
		"a watcher, ended by ctx":   func(s *stage) { watcher(s); begin(s); s.cancel(); timeOut() },
		"a logger":                  func(s *stage) { _, _ = s.b.StartLogging(klog.Logger{}); s.b.Shutdown() },
		"a structured logger":       func(s *stage) { s.b.StartStructuredLogging(9)() },
		"a watcher after the drain": func(s *stage) { s.b.Shutdown(); _, _ = s.b.StartLogging(klog.Logger{}) },
	} {
		for _, answers := range []bool{true, false} {
			t.Run(name+map[bool]string{true: ", server up", false: ", server hangs"}[answers], func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					sink := eventstest.NewSink()
					if !answers {
						sink.Hold()
					}
					before := len(goroutines())
					s := &stage{T: t, b: events.NewBroadcaster(sink, quiet)}
					s.ctx, s.cancel = context.WithCancel(context.Background())
					defer s.cancel()
					record(newRecorder(s.b), 1, "web")
					if n := len(goroutines()); n != before {
						t.Errorf("%d goroutines before Start, want %d", n, before)
					}
					order(s)
					synctest.Wait()
					if left := goroutines(); len(left) != before {
						t.Errorf("%d goroutines, want %d:\n%s", len(left), before, strings.Join(left, "\n\n"))
					}
				})
			})
		}
	}
}

// deaf is a sink that ignores its context.
type deaf struct{ hear chan struct{} }

func (s deaf) Create(context.Context, *eventsv1.Event) (*eventsv1.Event, error) {
	<-s.hear
	return nil, nil
}

func (s deaf) Patch(context.Context, *eventsv1.Event, []byte) (*eventsv1.Event, error) {
	<-s.hear
	return nil, nil
}

// I6: a worker stuck in a sink that ignores its context is the one goroutine that can outlive Drain; it is reported.
func TestI6StuckSinkIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := deaf{make(chan struct{})}
		before := len(goroutines())
		b, rec := start(t, sink)
		record(rec, 3, "web")
		synctest.Wait()
		began := time.Now()
		lost := drain(t, b, 10*time.Second)
		if lost == nil || lost.Stuck != 1 || lost.Occurrences != 3 {
			t.Errorf("Drain: %+v, want 1 stuck goroutine and 3 occurrences", lost)
		}
		if took := time.Since(began); took != 11*time.Second {
			t.Errorf("Drain took %v, want its context and a second", took)
		}
		synctest.Wait() // those that Drain has awaited may not be gone from the scheduler yet
		if n := len(goroutines()); n != before+1 {
			t.Errorf("%d goroutines outlive Drain, want the stuck one", n-before)
		}
		s := b.Stats()
		close(sink.hear) // the answer comes after all
		synctest.Wait()
		if got := b.Stats(); got.Recorded != s.Recorded || got.Pending != 0 {
			t.Errorf("an answer after Drain changed the accounts: %+v", got)
		}
		checkConserved(t, b.Stats())
	})
}

// I6: a watcher's handler that does not return is reported likewise.
func TestI6StuckWatcherIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, rec := start(t, eventstest.NewSink())
		release := make(chan struct{})
		must[func()](t)(b.StartEventWatcher(func(kruntime.Object) { <-release }))
		record(rec, 1, "web")
		synctest.Wait()
		lost := drain(t, b, time.Second)
		if lost == nil || lost.Stuck != 1 || lost.Occurrences != 0 {
			t.Errorf("Drain: %+v, want 1 stuck goroutine and nothing abandoned", lost)
		}
		close(release)
	})
}
