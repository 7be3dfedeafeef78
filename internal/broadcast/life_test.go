// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package broadcast

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/eventseries/eventseries/internal/lifecycle"
)

// A caller of Drain or Shutdown that comes while the drain is under way waits for it and gets its
// result. With a sync.Once in end the clock of the bubble would stand still, and this test would
// hang.
func TestEndIsSharedConcurrentSafe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		errLost, ends := errors.New("three were lost"), 0
		l := NewLife(Config{
			Drain: func(context.Context) error { ends++; time.Sleep(time.Hour); return errLost },
		})
		if l.HasEnded() {
			t.Error("a new life has ended")
		}
		var g lifecycle.Group
		got := make(chan error, 3)
		for range cap(got) {
			g.Go(func() { got <- l.Drain(t.Context()) })
		}
		synctest.Wait()
		if !l.HasEnded() {
			t.Error("the end has begun and does not say so")
		}
		for range cap(got) {
			if err := <-got; err != errLost {
				t.Errorf("got %v, want the result of the first", err)
			}
		}
		if err := l.Drain(t.Context()); err != errLost || ends != 1 {
			t.Errorf("later: got %v, want the result of the first; %d ends", err, ends)
		}
	})
}

// A Shutdown bounds a Drain without a deadline that is under way.
//
// Caught: a Shutdown that never returned, because the Drain at the same time had no bound.
func TestTheEarliestBoundWins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLife(Config{
			DrainTimeout: 5 * time.Second,
			Drain: func(ctx context.Context) error {
				select {
				case <-ctx.Done():
				case <-time.After(time.Hour):
				}
				return ctx.Err()
			},
		})
		var g lifecycle.Group
		g.Go(func() {
			if err := l.Drain(context.Background()); !errors.Is(err, context.Canceled) {
				t.Errorf("Drain = %v, want it cancelled", err)
			}
		})
		synctest.Wait()
		began := time.Now()
		l.Shutdown()
		if took := time.Since(began); took != l.config.DrainTimeout {
			t.Errorf("Shutdown took %v beside a Drain without a bound, want %v", took, l.config.DrainTimeout)
		}
		g.Wait(t.Context())
	})
}

func TestWaitFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var group lifecycle.Group
		cancelled, release := make(chan struct{}), make(chan struct{})
		group.Go(func() { <-cancelled; time.Sleep(time.Second / 2) })
		group.Go(func() { <-release })
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began := time.Now()
		stuck := WaitFor(ctx, &group, func() { close(cancelled) })
		if took := time.Since(began); stuck != 1 || took != time.Minute+time.Second {
			t.Errorf("%d stuck after %v, want 1 after a minute and a second", stuck, took)
		}
		close(release)
	})
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
