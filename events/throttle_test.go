// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/utils/clock"
)

func TestThrottle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		muted := newThrottle(clock.RealClock{})
		said := map[string]int{}
		say := func(key string) { muted.do(key, time.Minute, func() { said[key]++ }) }
		for range 10 {
			say("a")
			say("b")
			time.Sleep(20 * time.Second)
		}
		if said["a"] != 4 || said["b"] != 4 {
			t.Errorf("said %v in 200 s, want 4 of each", said)
		}
	})
}

// Keys that vary cost a repeated line at worst, never memory.
func TestThrottleIsBounded(t *testing.T) {
	muted := newThrottle(clock.RealClock{})
	for i := range 10 * maxThrottled {
		muted.do(fmt.Sprint(i), time.Minute, func() {})
		if n := len(muted.last); n > maxThrottled {
			t.Fatalf("remembers %d keys", n)
		}
	}
}

// f runs without the lock: it may be a logger that records an event.
func TestThrottleConcurrentSafe(t *testing.T) {
	muted := newThrottle(clock.RealClock{})
	var said atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				muted.do("outer", time.Hour, func() {
					muted.do("inner", time.Hour, func() { said.Add(1) })
				})
			}
		})
	}
	all.Wait()
	if n := said.Load(); n != 1 {
		t.Errorf("said %d times, want once", n)
	}
}
