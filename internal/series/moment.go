// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import "time"

// moment is a time in 8 bytes, a third of a [time.Time]: nanoseconds since the epoch of the
// cache, by the monotonic clock if that is known. So a clock that is set moves no deadline.
// What goes on the wire is kept as the time that the clock showed. The zero moment is
// before every other.
type moment int64

// middle lets a moment be 146 years before and after the epoch.
const middle = 1 << 62

// momentOf returns the moment of t.
func momentOf(t, epoch time.Time) moment { return moment(t.Sub(epoch)) + middle }

// IsZero and the others mean what those of [time.Time] mean.
func (m moment) IsZero() bool               { return m == 0 }
func (m moment) Before(other moment) bool   { return m < other }
func (m moment) After(other moment) bool    { return m > other }
func (m moment) Add(d time.Duration) moment { return m + moment(d) }
func (m moment) Sub(o moment) time.Duration { return time.Duration(m - o) }
