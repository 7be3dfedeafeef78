// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

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
	child, cancelChild := context.WithCancel(ctx)
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

// A context derived from it ends along, without a goroutine that waits for that.
func TestDeadlineOfAChildNeedsNoGoroutine(t *testing.T) {
	d := NewDeadline(t.Context(), time.Now().Add(time.Hour))
	before := runtime.NumGoroutine()
	child, cancel := context.WithCancel(d)
	defer cancel()
	if n := runtime.NumGoroutine(); n != before {
		t.Errorf("%d goroutines, %d before", n, before)
	}
	d.Release()
	if !isDone(child) {
		t.Error("the child goes on")
	}
}

// Nobody waits: it is one allocation.
func TestDeadlineCostsNothingUntilArmed(t *testing.T) {
	ctx := context.Background()
	if n := testing.AllocsPerRun(100, func() {
		d := NewDeadline(ctx, time.Now().Add(time.Hour))
		kept = d
		d.Release()
	}); n != 1 {
		t.Errorf("%v allocations, want 1", n)
	}
}

var kept context.Context

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
