// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"context"
	"runtime"
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

// A goroutine that ends by runtime.Goexit, which t.FailNow calls, counts as returned.
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
