// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import "time"

// monotime is a time in 8 bytes, a third of the size of a [time.Time]. It counts nanoseconds since
// the epoch of the cache, on the monotonic clock if possible, so that no deadline moves if the wall
// clock is set. Times that are sent to the server are stored separately, as the wall clock showed
// them. The zero monotime is earlier than all others.
type monotime int64

// monoEpochOffset is the monotime of the epoch. It is in the middle of the positive numbers of a
// monotime, so that times up to 146 years before and after the epoch fit.
const monoEpochOffset = 1 << 62

// monotimeOf converts t to a monotime.
func monotimeOf(t, epoch time.Time) monotime { return monotime(t.Sub(epoch)) + monoEpochOffset }

// IsZero and the methods below behave like the methods of [time.Time] with the same names.
func (m monotime) IsZero() bool                     { return m == 0 }
func (m monotime) Before(other monotime) bool       { return m < other }
func (m monotime) After(other monotime) bool        { return m > other }
func (m monotime) Add(d time.Duration) monotime     { return m + monotime(d) }
func (m monotime) Sub(other monotime) time.Duration { return time.Duration(m - other) }
