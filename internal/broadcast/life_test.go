// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package broadcast

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"k8s.io/klog/v2/textlogger"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/lifecycle"
)

var errLost = errors.New("three were lost")

// newLife returns a life whose Drain ends with ctx, and what it logs.
func newLife() (*Life, *bytes.Buffer) {
	var out bytes.Buffer
	log := NewLog(textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(&out))), clock.RealClock{})
	return NewLife(Config{
		DrainTimeout: 5 * time.Second, Hurry: func() {}, Log: log,
		Drain: func(ctx context.Context) error { <-ctx.Done(); return errLost },
	}), &out
}

// Whoever comes while the end is under way waits for it and gets its result.
// With a sync.Once in its place the bubble's time stands still and this hangs.
func TestEndIsSharedConcurrentSafe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, _ := newLife()
		if l.HasEnded() {
			t.Error("a new life has ended")
		}
		ends := 0
		l.config.Drain = func(context.Context) error { ends++; time.Sleep(time.Hour); return errLost }
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

func TestSupervise(t *testing.T) {
	tests := map[string]struct {
		stop, end      time.Duration // when the context ends, and when Shutdown is called; zero: never
		hurried, ended time.Duration
	}{
		"nobody ends it":             {stop: time.Minute, hurried: time.Minute, ended: 65 * time.Second},
		"ended in time":              {stop: time.Minute, hurried: time.Minute, end: 63 * time.Second, ended: 63 * time.Second},
		"ended before anybody stops": {stop: time.Minute, end: 10 * time.Second, ended: 10 * time.Second},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began, hurried, ended := time.Now(), time.Duration(0), time.Duration(0)
				l := NewLife(Config{
					DrainTimeout: 5 * time.Second,
					Hurry:        func() { hurried = time.Since(began) },
					Drain:        func(context.Context) error { ended = time.Since(began); return nil },
				})
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				l.During(func(State) { l.SuperviseLocked(ctx) })
				time.AfterFunc(tt.stop, cancel)
				if tt.end > 0 {
					time.AfterFunc(tt.end, l.Shutdown)
				}
				time.Sleep(time.Hour)
				synctest.Wait()
				if hurried != tt.hurried || ended != tt.ended {
					t.Errorf("hurried after %v and ended after %v, want %v and %v", hurried, ended, tt.hurried, tt.ended)
				}
			})
		})
	}
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

// What a Shutdown has lost is logged once; what a Drain has lost is its error, and nobody logs it.
func TestWhoEndsItTellsOfTheLoss(t *testing.T) {
	for name, wait := range map[string]time.Duration{"Drain": 0, "Shutdown": 5 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			l, out := newLife()
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			began := time.Now()
			end := map[string]func(){"Drain": func() { _ = l.Drain(ctx) }, "Shutdown": l.Shutdown}
			end[name]()
			l.Shutdown()
			if err := l.Drain(t.Context()); !errors.Is(err, errLost) || time.Since(began) != wait {
				t.Errorf("%s: Drain = %v after %v", name, err, time.Since(began))
			}
			want := map[string]int{"Shutdown": 1}[name]
			if got := strings.Count(out.String(), "Events were lost at shutdown"); got != want {
				t.Errorf("%s: logged %d times, want %d:\n%s", name, got, want, out)
			}
		})
	}
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
