// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// uniqueClock never returns the same time twice. Names of Events end in the
// nanoseconds at which they were made, also those that the correlator makes. On a
// coarse clock two Events of an object would share a name, the server would answer
// AlreadyExists, and the second would be lost (kubernetes#95903).
type uniqueClock struct {
	clock.PassiveClock

	mu   sync.Mutex // guards last
	last time.Time
}

// Now returns a time after all that it returned before.
func (c *uniqueClock) Now() time.Time {
	now := c.PassiveClock.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !now.After(c.last) {
		now = c.last.Add(time.Nanosecond)
	}
	c.last = now
	return now
}
