// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import "time"

// monotime is a time in 8 bytes, a third of a [time.Time]: nanoseconds since the epoch of the cache,
// by the monotonic clock if that is known. So a clock that is set moves no deadline. Times that go on
// the wire are kept as the clock on the wall showed them. The zero monotime is before every other.
type monotime int64

// monoEpochOffset is the monotime of the epoch. It leaves room for 146 years before and after it.
const monoEpochOffset = 1 << 62

// monotimeOf returns the monotime of t.
func monotimeOf(t, epoch time.Time) monotime { return monotime(t.Sub(epoch)) + monoEpochOffset }

// IsZero and the methods below mean the same as the methods of [time.Time] with these names.
func (m monotime) IsZero() bool                     { return m == 0 }
func (m monotime) Before(other monotime) bool       { return m < other }
func (m monotime) After(other monotime) bool        { return m > other }
func (m monotime) Add(d time.Duration) monotime     { return m + monotime(d) }
func (m monotime) Sub(other monotime) time.Duration { return time.Duration(m - other) }
