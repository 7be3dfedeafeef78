// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
)

// If ctx ends first, the error says how many series are unwritten, and nothing is dropped. A
// Retry-After is obeyed.
func TestFlushTimeout(t *testing.T) {
	for name, prepare := range map[string]func(*rig){
		"started":   func(r *rig) { r.start(r.Context()) },
		"unstarted": func(*rig) {},
	} {
		subtestUnstarted(t, name, nil, func(r *rig) {
			prepare(r)
			r.sink.FailNext(-1, errUnavailable)
			r.record(2, "web")
			r.record(1, "other")
			ctx, cancel := context.WithTimeout(r.Context(), time.Minute)
			defer cancel()
			err := r.b.Flush(ctx)
			if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "2 series") {
				r.Errorf("Flush: %v, want 2 series and the context's error", err)
			}
			if n := len(r.sink.calls()); n > 30 {
				r.Errorf("%d requests in a minute: the gate is ignored", n)
			}
			r.checkDropped(nil)
			r.sink.Heal()
			r.flush()
			if s := r.b.Stats(); s.Recorded != 3 {
				r.Errorf("recorded %d, want 3", s.Recorded)
			}
			// If nothing is pending, an ended context is no error. A plain select would return one
			// at random.
			for range 50 {
				if err := r.b.Flush(ctx); err != nil {
					r.Fatal(err)
				}
			}
			r.b.Shutdown()
			r.flush()
		})
	}
}

// If Drain gives up, a Flush that waits returns, because everything is dropped. The writes in
// flight are cancelled and awaited.
func TestDrainEndsFlush(t *testing.T) {
	hold := func(r *rig) { r.sink.Hold() }
	for name, prepare := range map[string]func(r *rig){
		"started":                func(r *rig) { r.start(r.Context()); hold(r) },
		"unstarted":              hold,
		"unstarted, and refused": func(r *rig) { r.sink.FailNext(-1, errUnavailable) },
	} {
		subtestUnstarted(t, name, nil, func(r *rig) {
			prepare(r)
			r.record(2, "web")
			var flushed sync.WaitGroup
			flushed.Go(r.flush)
			synctest.Wait()
			if lost := r.drain(time.Second); lost == nil || lost.Stuck != 0 || lost.Occurrences != 2 {
				r.Errorf("Drain = %v, want 2 occurrences abandoned and nobody stuck", lost)
			}
			flushed.Wait()
		})
	}
}

// A Flush before Start writes, ends series, and leaves no goroutine, because a bubble with a
// remaining goroutine fails.
func TestUnstartedFlush(t *testing.T) {
	inBubbleUnstarted(t, nil, func(r *rig) {
		r.record(2, "web")
		r.flush()
		time.Sleep(5 * time.Minute)
		r.record(1, "web")
		r.flush()
		r.record(2, "web")
		time.Sleep(time.Hour - time.Second) // the finish interval, and nearly too old
		r.flush()
		r.record(1, "web")
		r.flush()
		r.diff("requests", "create pod/web Killing count=2\npatch pod/web Killing count=3\n"+
			"patch pod/web Killing count=5\ncreate pod/web Killing\n", r.sink.Log())
		time.Sleep(6 * time.Minute)
		r.flush()
		if s := r.b.Stats(); s.Recorded != 6 || s.Series != 0 {
			r.Errorf("%+v, want 6 recorded and no series left", s)
		}
		if err := events.NewBroadcaster(nil).Flush(r.Context()); err != nil {
			r.Errorf("Flush without a sink = %v, want nothing to do", err)
		}
	})
}

// A Flush before Start removes a series that has ended by then, because there is no timer that
// would do it later. The test has many rounds, because without this the series would nevertheless
// be removed in some of them.
func TestUnstartedFlushForgetsWhatIsOver(t *testing.T) {
	inBubbleUnstarted(t, nil, func(r *rig) {
		for range 50 {
			r.record(1, "web")
			time.Sleep(10 * time.Minute)
			r.flush()
			if n := r.b.Stats().Series; n != 0 {
				r.Fatalf("%d series left, want none", n)
			}
		}
	})
}

// A Start during several Flushes takes over their work. All of them return when everything is
// written.
func TestFlushConcurrentSafe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		sink.SetLatency(time.Millisecond)
		b := events.NewBroadcaster(sink, quiet)
		defer b.Shutdown()
		rec := newRecorder(b)
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				for i := range 20 {
					record(rec, 3, fmt.Sprint("web-", i))
					fixture.Flush(t, b)
				}
			})
		}
		time.Sleep(10 * time.Millisecond)
		all.Go(func() {
			if err := b.Start(t.Context()); err != nil {
				t.Error(err)
			}
		})
		all.Wait()
		if s := b.Stats(); s.Recorded != 240 || s.Pending != 0 {
			t.Errorf("%+v, want all 240 recorded", s)
		}
	})
}

// Flush and Drain flush the sink after everything is written, and return its error.
func TestSinkIsFlushed(t *testing.T) {
	full := errors.New("the disk is full")
	flushOf := func(r *rig) error { return r.b.Flush(context.Background()) }
	for name, end := range map[string]func(r *rig) error{
		"unstarted": flushOf,
		"Flush":     func(r *rig) error { r.start(r.Context()); return flushOf(r) },
		"Drain":     func(r *rig) error { r.start(r.Context()); return r.b.Drain(r.Context()) },
	} {
		for _, want := range []error{nil, full} {
			subtestUnstarted(t, fmt.Sprint(name, ": ", want), nil, func(r *rig) {
				flushed := 0
				r.sink.flushed = func(context.Context) error {
					if flushed++; len(r.sink.Events()) != 1 {
						r.Errorf("%d Events written when the sink is flushed, want 1", len(r.sink.Events()))
					}
					return want
				}
				r.record(1, "web")
				if err := end(r); !errors.Is(err, want) || flushed != 1 {
					r.Errorf("%v after %d flushes, want %v after one", err, flushed, want)
				}
			})
		}
	}
}

// A sink whose Flush panics, ends its goroutine or ignores its context does not delay the end.
func TestSinkFlushIsContained(t *testing.T) {
	var release chan struct{}
	ignore := func(context.Context) error { <-release; return nil }
	// The context ends after three seconds, and the sink has one more.
	const hung = 3*time.Second + time.Second
	for name, row := range map[string]struct {
		flush func(context.Context) error
		end   func(*events.Broadcaster, context.Context) error
		want  string
		took  time.Duration
	}{
		"panic":          {func(context.Context) error { panic("no disk") }, (*events.Broadcaster).Flush, "no disk", 0},
		"goexit":         {func(context.Context) error { runtime.Goexit(); return nil }, (*events.Broadcaster).Flush, "ended its goroutine", 0},
		"hangs in Flush": {ignore, (*events.Broadcaster).Flush, "deadline exceeded", hung},
		"hangs in Drain": {ignore, (*events.Broadcaster).Drain, "deadline exceeded", hung},
	} {
		subtest(t, name, nil, func(r *rig) {
			release = make(chan struct{})
			defer close(release)
			r.sink.flushed = row.flush
			r.record(1, "web")
			began := time.Now()
			ctx, cancel := context.WithTimeout(r.Context(), 3*time.Second)
			defer cancel()
			if err := row.end(r.b, ctx); err == nil || !strings.Contains(err.Error(), row.want) {
				r.Errorf("%v, want %q", err, row.want)
			}
			if took := time.Since(began); took != row.took {
				r.Errorf("it took %v, want %v", took, row.took)
			}
		})
	}
	subtest(t, "beside what is abandoned", nil, func(r *rig) {
		full := errors.New("the disk is full")
		r.sink.flushed = func(context.Context) error { return full }
		r.sink.FailNext(-1, errTimeout)
		r.record(1, "web")
		ctx, cancel := context.WithTimeout(r.Context(), time.Second)
		defer cancel()
		var lost *events.AbandonedError
		if err := r.b.Drain(ctx); !errors.Is(err, full) || !errors.As(err, &lost) || lost.Occurrences != 1 {
			r.Errorf("Drain() = %v, want one occurrence abandoned, and the sink's error", err)
		}
	})
}

// A sink that ignores its context delays a Flush before Start for only a second after the end of
// the context, as it does after Start. Its later answer counts.
//
// Caught: an unbounded wait for the write in flight, which took an hour.
func TestUnstartedFlushLeavesAStuckWrite(t *testing.T) {
	inBubbleUnstarted(t, nil, func(r *rig) {
		r.sink.around = func(_ context.Context, _ string, e *eventsv1.Event, _ answer) (*eventsv1.Event, error) {
			time.Sleep(time.Hour)
			return e, nil
		}
		r.record(1, "web")
		ctx, cancel := context.WithTimeout(r.Context(), 3*time.Second)
		defer cancel()
		began := time.Now()
		err := r.b.Flush(ctx)
		if took := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || took > 4*time.Second {
			r.Errorf("Flush: %v after %v, want the context's error after 4 s", err, took)
		}
		time.Sleep(time.Hour)
		if s := r.b.Stats(); s.Recorded != 1 || s.Pending != 0 {
			r.Errorf("%d recorded, %d pending, want the late answer counted", s.Recorded, s.Pending)
		}
	})
}

// While the timer of a Flush before Start is held up, the timer of Start begins, so two of them
// run. A wake-up that the first one gets is not lost for the second one.
//
// Caught: a timer that stops with a wake-up that the other one needs. In half of the runs no
// deadline is then noticed again.
func TestTimersOverlap(t *testing.T) {
	for range 20 {
		var held map[string]chan struct{} // made in the bubble
		hold := func(d events.Drop) { <-held[d.Regarding.Name] }
		inBubbleUnstarted(t, options{events.WithDropHandler(hold)}, func(r *rig) {
			held = map[string]chan struct{}{"first": make(chan struct{}), "second": make(chan struct{})}
			r.sink.FailNext(-1, errUnavailable)
			r.record(1, "first")
			time.Sleep(time.Minute)
			r.record(1, "second")
			ctx, cancel := context.WithCancel(r.Context())
			var flushed sync.WaitGroup
			flushed.Go(func() {
				if err := r.b.Flush(ctx); !errors.Is(err, context.Canceled) {
					r.Errorf("Flush = %v, want the context's error", err)
				}
			})
			time.Sleep(time.Hour - time.Second) // the timer of Flush is in the handler: the first one is too old
			cancel()
			synctest.Wait()
			time.Sleep(time.Minute)
			r.start(r.Context()) // its timer is in the handler, too
			synctest.Wait()
			r.sink.Heal()
			r.record(1, "web")
			synctest.Wait() // it is written, and its deadline has woken a timer
			close(held["first"])
			synctest.Wait()
			close(held["second"])
			flushed.Wait()
			r.drops.add(events.Drop{Reason: events.DropTooOld, Occurrences: 2}) // hold has replaced its handler
			time.Sleep(7 * time.Minute)
			if s := r.b.Stats(); s.Recorded != 1 || s.Series != 0 {
				r.Errorf("%d recorded, %d series, want 1 that has ended", s.Recorded, s.Series)
			}
		})
	}
}
