// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// stamps is a clock that never tells the same time twice. Names of events end
// in the nanoseconds at which they were made, the correlator's included; on a
// coarse clock two events of an object would share a name, the server would
// answer AlreadyExists, and the second would be lost (kubernetes#95903).
type stamps struct {
	clock clock.PassiveClock

	mu   sync.Mutex // guards last
	last time.Time
}

var _ clock.PassiveClock = (*stamps)(nil)

// Now is later than every time it returned before.
func (s *stamps) Now() time.Time {
	now := s.clock.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !now.After(s.last) {
		now = s.last.Add(time.Nanosecond)
	}
	s.last = now
	return now
}

// Since is the time since t.
func (s *stamps) Since(t time.Time) time.Duration { return s.clock.Since(t) }
