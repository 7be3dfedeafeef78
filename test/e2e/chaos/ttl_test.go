// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package chaos

import (
	"testing"
	"time"
)

// shortLived makes Events expire 10 s after they were last written.
const shortLived = "--event-ttl=10s"

// Events expire faster than they are refreshed. What is made anew has the full
// count, which the observer checks: it never goes down.
//
// Caught: a re-creation with what is unwritten only.
func TestEventsExpire(t *testing.T) {
	s := open(t, plot{title: "event TTL of 10 s, default intervals", flags: []string{shortLived}})
	for range 4 {
		s.Run(12 * time.Second)
		s.recovers()
	}
	s.settle()
	if n := s.observer.Recreated(func(Key) bool { return true }); n == 0 {
		t.Error("no Event was made anew, nothing was tested")
	} else {
		t.Logf("%d Events made anew", n)
	}
}
