// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package timing

import "time"

// Backoff is a wait that doubles with each failure in a row, from First up to Longest.
type Backoff struct {
	First   time.Duration
	Longest time.Duration
}

// maxDoublings limits the shift in After, so that it cannot overflow. Every back-off reaches its
// Longest after fewer doublings.
const maxDoublings = 16

// After returns the wait after the given number of failures in a row. It is First after at most one
// failure, doubles with each further one, and is never longer than Longest.
func (b Backoff) After(failures int) time.Duration {
	return min(b.First<<min(max(failures-1, 0), maxDoublings), b.Longest)
}
