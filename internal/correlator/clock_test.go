// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package correlator

import (
	"sync"
	"testing"
	"time"

	clocktesting "k8s.io/utils/clock/testing"
)

func TestUniqueClockNeverRepeat(t *testing.T) {
	clk := clocktesting.NewFakePassiveClock(time.Unix(100, 0))
	s := &uniqueClock{PassiveClock: clk}
	last := s.Now()
	for _, at := range []time.Time{time.Unix(100, 0), time.Unix(100, 1), time.Unix(99, 0), time.Unix(200, 0)} {
		clk.SetTime(at)
		now := s.Now()
		if !now.After(last) || now.Sub(at) > 2*time.Second {
			t.Errorf("at %v Now() = %v, after %v", at, now, last)
		}
		last = now
	}
	if !last.Equal(time.Unix(200, 0)) || s.Since(time.Unix(190, 0)) != 10*time.Second {
		t.Errorf("Now() = %v, want the clock's own time when it moves", last)
	}
}

func TestUniqueClockConcurrentSafe(t *testing.T) {
	s := &uniqueClock{PassiveClock: clocktesting.NewFakePassiveClock(time.Unix(100, 0))}
	var seen sync.Map
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				if _, again := seen.LoadOrStore(s.Now(), true); again {
					t.Error("the same time twice")
				}
			}
		})
	}
	wg.Wait()
}
