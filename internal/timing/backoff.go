// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package timing

import "time"

// Backoff is a wait that doubles with each failure in a row.
type Backoff struct {
	First   time.Duration
	Longest time.Duration
}

// maxDoublings bounds the shift, so that no wait overflows. Each Longest is reached before.
const maxDoublings = 16

// After returns the wait after so many failures in a row: First after one, twice as long after each further one, and
// Longest at most.
func (b Backoff) After(failures int) time.Duration {
	return min(b.First<<min(max(failures-1, 0), maxDoublings), b.Longest)
}
