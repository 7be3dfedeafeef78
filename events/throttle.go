// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// throttle keeps a hot loop from flooding the log. It forgets all it knows when
// it knows too much, which costs a repeated line at worst.
type throttle struct {
	clock clock.PassiveClock
	mu    *sync.Mutex
	last  map[string]time.Time
}

const maxThrottled = 1024

func newThrottle(clk clock.PassiveClock) throttle {
	return throttle{clock: clk, mu: &sync.Mutex{}, last: map[string]time.Time{}}
}

// do calls f unless it did so for the same key within the interval. f runs
// without a lock.
func (t *throttle) do(key string, every time.Duration, f func()) {
	now := t.clock.Now()
	t.mu.Lock()
	last, seen := t.last[key]
	due := !seen || now.Sub(last) >= every
	if due {
		if len(t.last) >= maxThrottled {
			clear(t.last)
		}
		t.last[key] = now
	}
	t.mu.Unlock()
	if due {
		f()
	}
}
