// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// Whoever comes while the end is under way waits for it and gets its result.
// With a sync.Once in its place the bubble's time stands still and this hangs.
func TestEndIsSharedConcurrentSafe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, want := NewEnd(), errors.New("the first one's")
		var g Group
		got := make(chan error, 3)
		for range cap(got) {
			g.Go(func() {
				got <- e.Do(func() error {
					time.Sleep(time.Hour)
					return want
				})
			})
		}
		synctest.Wait()
		if !e.HasBegun() {
			t.Error("the end has begun and does not say so")
		}
		select {
		case <-e.Begun():
		default:
			t.Error("Begun is not closed")
		}
		for range cap(got) {
			if err := <-got; err != want {
				t.Errorf("got %v, want %v", err, want)
			}
		}
		if err := e.Do(func() error { return errors.New("a second end") }); err != want {
			t.Errorf("later: got %v, want %v", err, want)
		}
	})
}

func TestEndHasNotBegun(t *testing.T) {
	if NewEnd().HasBegun() {
		t.Error("a new end has begun")
	}
}
