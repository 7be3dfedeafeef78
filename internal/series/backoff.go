// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"math"
	"time"

	"github.com/eventseries/eventseries/internal/stats"
)

// How long a refused series drops what comes before the next occurrence is tried.
// The first wait is what the writer leaves a terminating namespace. The longest one
// bounds both sides: what goes on occurring is recorded within ten minutes after
// the refusal has ended, and a loop with an event that is never accepted costs
// eight requests an hour, ten in its first one.
const (
	firstTrial   = time.Minute
	longestTrial = 8 * time.Minute
)

// How long a series waits whose write was held: five requests in the first minute,
// and one a minute from then on.
const (
	firstHold   = 2 * time.Second
	longestHold = time.Minute
)

// backoff doubles from first with each time after the first one.
func backoff(first, longest time.Duration, times uint8) time.Duration {
	return min(first<<min(times-1, 8), longest)
}

func oneMore(n uint8) uint8 { return min(n, math.MaxUint8-1) + 1 }

// refuse books that the server turned the series away.
func (s *Series) refuse(reason stats.Reason, now time.Time) {
	s.tombstone, s.refusals, s.holds, s.tried = reason, oneMore(s.refusals), 0, now
}

// hold books that the server turned this one write away for now.
func (s *Series) hold(now time.Time) { s.holds, s.tried = oneMore(s.holds), now }

// triable tells whether an occurrence at now finds a refusal that may have ended.
// The time since is taken without its sign: a clock that was set back must not
// leave a refusal standing for long.
func (s *Series) triable(now time.Time, iv *Intervals) bool {
	if s.tombstone == stats.None {
		return false
	}
	wait := min(backoff(firstTrial, longestTrial, s.refusals), iv.Refresh)
	return now.Sub(s.tried).Abs() >= wait
}

// superseded tells whether the next trial is another Event: of this one the server
// may have more than is recorded, and a count must never go down.
func (s *Series) superseded(now time.Time, iv *Intervals) bool {
	return s.sent > s.recorded && s.triable(now, iv)
}

// lift lets an occurrence at now through to the writer, and what comes until that
// has its answer.
func (s *Series) lift(now time.Time) {
	s.tombstone = stats.None
	if s.recorded == 0 { // it is the first one that the server will know of
		s.eventTime = now
	}
}

// succeed takes over from the series of the same key that is finished or superseded.
func (s *Series) succeed(old *Series, now time.Time, iv *Intervals) {
	if !old.finished(now, iv) {
		s.refusals = old.refusals
	}
}
