// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package broadcast

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventseries/eventseries/internal/lifecycle"
)

// Whoever comes while the end is under way waits for it and gets its result.
// With a sync.Once in its place the bubble's time stands still and this hangs.
func TestEndIsSharedConcurrentSafe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, want := newEnd(), errors.New("the first one's")
		var g lifecycle.Group
		got := make(chan error, 3)
		for range cap(got) {
			g.Go(func() {
				got <- e.do(func() error {
					time.Sleep(time.Hour)
					return want
				})
			})
		}
		synctest.Wait()
		if !e.hasBegun() {
			t.Error("the end has begun and does not say so")
		}
		select {
		case <-e.begun:
		default:
			t.Error("begun is not closed")
		}
		for range cap(got) {
			if err := <-got; err != want {
				t.Errorf("got %v, want %v", err, want)
			}
		}
		if err := e.do(func() error { return errors.New("a second end") }); err != want {
			t.Errorf("later: got %v, want %v", err, want)
		}
	})
}

func TestEndHasNotBegun(t *testing.T) {
	if newEnd().hasBegun() {
		t.Error("a new end has begun")
	}
}

// Caught: a grace that begins before the stop; an end within it that is not seen; a second way to say stop that is
// overlooked.
func TestEndOverdue(t *testing.T) {
	tests := map[string]struct {
		stop1, stop2, end time.Duration // when they are closed, zero: never
		due               bool
		at                time.Duration
	}{
		"nobody ends it":             {stop1: time.Minute, due: true, at: 65 * time.Second},
		"the other way to say stop":  {stop2: time.Minute, due: true, at: 65 * time.Second},
		"ended in time":              {stop1: time.Minute, end: 63 * time.Second, at: 63 * time.Second},
		"ended before anybody stops": {stop1: time.Minute, end: 10 * time.Second, at: 10 * time.Second},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, began := newEnd(), time.Now()
				after := func(d time.Duration, f func()) {
					if d > 0 {
						time.AfterFunc(d, f)
					}
				}
				stop1, stop2, stopped := make(chan struct{}), make(chan struct{}), time.Duration(0)
				after(tt.stop1, func() { close(stop1) })
				after(tt.stop2, func() { close(stop2) })
				after(tt.end, func() { _ = e.do(func() error { return nil }) })
				due := e.overdue(5*time.Second, func() { stopped = time.Since(began) }, stop1, stop2)
				if at := time.Since(began); due != tt.due || at != tt.at {
					t.Errorf("due %v after %v, want %v after %v", due, at, tt.due, tt.at)
				}
				if want := tt.stop1 + tt.stop2; stopped != want && stopped != 0 || tt.due && stopped != want {
					t.Errorf("onStop after %v, want %v", stopped, want)
				}
				time.Sleep(time.Hour) // the timers above
			})
		})
	}
}
