// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"maps"
	"strings"
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// throttle keeps a hot loop from flooding the log. What it is asked about is a
// kind of fault, which the SDK knows all of, and a detail such as the event's
// reason, which callers make up: only so many details of a kind are told apart.
type throttle struct {
	clock clock.PassiveClock
	mu    *sync.Mutex
	muted map[string]map[string]time.Time // kind → detail → until when
}

// maxDetails is how many lines of a kind may be logged within its interval.
const maxDetails = 64

func newThrottle(clk clock.PassiveClock) throttle {
	return throttle{clock: clk, mu: &sync.Mutex{}, muted: map[string]map[string]time.Time{}}
}

// do calls f unless it did so for the same fault within the interval. f runs
// without a lock.
func (t *throttle) do(kind, detail string, every time.Duration, f func()) {
	if t.due(kind, detail, every) {
		f()
	}
}

func (t *throttle) due(kind, detail string, every time.Duration) bool {
	now := t.clock.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	details := t.muted[kind]
	if now.Before(details[detail]) {
		return false
	}
	if len(details) >= maxDetails {
		maps.DeleteFunc(details, func(_ string, until time.Time) bool { return !now.Before(until) })
		if len(details) >= maxDetails {
			return false
		}
	}
	if details == nil {
		details = map[string]time.Time{}
		t.muted[kind] = details
	}
	details[strings.Clone(detail)] = now.Add(every)
	return true
}
