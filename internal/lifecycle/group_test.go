// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestGroupCountsWhoStillRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Group
		for i := range 3 {
			g.Go(func() { time.Sleep(time.Duration(i+1) * time.Minute) })
		}
		for want := 3; want > 0; want-- {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if n := g.Wait(ctx); n != want {
				t.Errorf("%d goroutines run, want %d", n, want)
			}
			cancel()
			time.Sleep(59 * time.Second)
			synctest.Wait()
		}
		if n := g.Wait(t.Context()); n != 0 {
			t.Errorf("%d goroutines run in the end", n)
		}
	})
}

func TestGroupEveryWaiterHears(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g, waiters Group
		var woken atomic.Int32
		g.Go(func() { time.Sleep(time.Minute) })
		for range 5 {
			waiters.Go(func() {
				if g.Wait(context.Background()) == 0 {
					woken.Add(1)
				}
			})
		}
		waiters.Wait(t.Context())
		if n := woken.Load(); n != 5 {
			t.Errorf("%d of 5 waiters heard that all are back", n)
		}
	})
}

// Goexit, which t.FailNow calls, is a return like another.
func TestGroupGoexit(t *testing.T) {
	var g Group
	g.Go(runtime.Goexit)
	if n := g.Wait(t.Context()); n != 0 {
		t.Errorf("%d goroutines run", n)
	}
}

func TestGroupConcurrentSafe(t *testing.T) {
	var g, starters Group
	var ran atomic.Int32
	for range 8 {
		starters.Go(func() {
			for range 100 {
				g.Go(func() { ran.Add(1) })
				g.Wait(context.Background())
			}
		})
	}
	starters.Wait(t.Context())
	if n := g.Wait(t.Context()); n != 0 || ran.Load() != 800 {
		t.Errorf("%d run and %d have run, want 0 and 800", n, ran.Load())
	}
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type key struct{}

var errParent = errors.New("the parent's cause")

// story is what may happen to a context in its life, and what is to be seen of
// it then.
type story struct {
	parent  time.Duration // its deadline, zero if none
	early   bool          // somebody waits from the beginning
	happens func(cancelParent context.CancelCauseFunc, release func())
}

var stories = map[string]story{
	"nothing":          {happens: func(context.CancelCauseFunc, func()) {}},
	"time passes":      {happens: func(context.CancelCauseFunc, func()) { time.Sleep(time.Minute) }},
	"the last instant": {happens: func(context.CancelCauseFunc, func()) { time.Sleep(time.Minute - 1) }},
	"parent ends":      {happens: func(cancel context.CancelCauseFunc, _ func()) { cancel(errParent) }},
	"released":         {happens: func(_ context.CancelCauseFunc, release func()) { release(); release() }},
	"parent's deadline": {parent: time.Second, happens: func(context.CancelCauseFunc, func()) {
		time.Sleep(time.Second)
	}},
	"later than it": {parent: time.Hour, happens: func(context.CancelCauseFunc, func()) { time.Sleep(time.Minute) }},
	"released, then time passes": {happens: func(_ context.CancelCauseFunc, release func()) {
		release()
		time.Sleep(time.Hour)
	}},
}

// seen is all that a context tells, and one derived from it.
type seen struct {
	deadline        time.Duration
	done, childDone bool
	err, childErr   error
	cause           error
	value           any
	woken           time.Duration // when an early waiter was
	childWaits      bool          // in a goroutine
}

// Whatever happens, and whether somebody has waited before or not, it tells what
// context.WithTimeout's does.
func TestDeadlineIsLikeWithTimeout(t *testing.T) {
	for name, s := range stories {
		for _, s.early = range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					want := s.play(func(ctx context.Context) (context.Context, func()) {
						ctx, cancel := context.WithTimeout(ctx, time.Minute)
						return ctx, cancel
					})
					got := s.play(func(ctx context.Context) (context.Context, func()) {
						d := NewDeadline(ctx, time.Now().Add(time.Minute))
						return d, d.Release
					})
					if got != want {
						t.Errorf("early %v: %+v, want %+v", s.early, got, want)
					}
				})
			})
		}
	}
}

func (s *story) play(derive func(context.Context) (context.Context, func())) (seen seen) {
	began := time.Now()
	parent, cancelParent := context.WithCancelCause(context.WithValue(context.Background(), key{}, "v"))
	defer cancelParent(nil)
	if s.parent > 0 {
		var cancel context.CancelFunc
		parent, cancel = context.WithDeadline(parent, began.Add(s.parent))
		defer cancel()
	}
	ctx, release := derive(parent)
	var waiter sync.WaitGroup
	if s.early {
		waiter.Go(func() { <-ctx.Done(); seen.woken = time.Since(began) })
		synctest.Wait()
	}
	s.happens(cancelParent, release)
	synctest.Wait()
	at, _ := ctx.Deadline()
	before := runtime.NumGoroutine()
	child, cancelChild := context.WithCancel(ctx)
	seen.childWaits = runtime.NumGoroutine() > before
	seen.deadline, seen.value = at.Sub(began), ctx.Value(key{})
	seen.err, seen.cause, seen.done = ctx.Err(), context.Cause(ctx), isDone(ctx)
	seen.childErr, seen.childDone = child.Err(), isDone(child)
	cancelChild()
	release()
	waiter.Wait()
	return seen
}

func isDone(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return true
	default:
		return false
	}
}

func TestDeadlineConcurrentSafe(t *testing.T) {
	d := NewDeadline(t.Context(), time.Now().Add(time.Hour))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { <-d.Done() })
		all.Go(func() { _ = d.Err(); _ = d.Value(key{}) })
		all.Go(d.Release)
	}
	all.Wait()
	if d.Err() == nil {
		t.Error("it goes on")
	}
}
