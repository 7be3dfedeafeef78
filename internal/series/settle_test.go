// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"testing"
	"time"
)

// Waits do not overflow, and neither do the numbers that they come from.
func TestBackoff(t *testing.T) {
	for times, want := range map[uint8]time.Duration{
		1: time.Minute, 2: 2 * time.Minute, 4: 8 * time.Minute, 5: 8 * time.Minute, 255: 8 * time.Minute,
	} {
		if got := backoff(firstRetry, longestRetry, times); got != want {
			t.Errorf("after %d times %v, want %v", times, got, want)
		}
	}
	if oneMore(0) != 1 || oneMore(254) != 255 || oneMore(255) != 255 {
		t.Error("the number of refusals goes round")
	}
}
