// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"hash/fnv"
	"io"
	"math"
	"time"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

// How long a refused series drops occurrences before it tries one. The first wait is
// what the writer leaves a terminating namespace. The longest one bounds both sides:
// what goes on occurring is recorded within ten minutes after the refusal has ended,
// and a loop with an event that is never accepted costs eight requests an hour, ten
// in its first one.
const (
	firstRetry   = time.Minute
	longestRetry = 8 * time.Minute
)

// How long a series waits whose write was held: five requests in the first minute,
// and one a minute from then on.
const (
	firstHold   = 2 * time.Second
	longestHold = time.Minute
	// firstConflict is a few round trips: whoever was faster has written by then.
	firstConflict = 100 * time.Millisecond
)

// backoff doubles from first with each time after the first one.
func backoff(first, longest time.Duration, times uint8) time.Duration {
	return min(first<<min(times-1, 8), longest)
}

// holdFor is how long a held write waits. Those of replicas that met in a conflict must
// not come back together.
func (s *Series) holdFor() time.Duration {
	if s.doubts&conflicted == 0 {
		return backoff(firstHold, longestHold, s.holds)
	}
	h := fnv.New64a()
	_, _ = io.WriteString(h, s.key()) // has the reporting instance
	wait := backoff(firstConflict, longestHold, s.holds)
	return wait/2 + time.Duration((h.Sum64()+uint64(s.lastWrite))*fibonacci>>48)*wait>>16
}

func oneMore(n uint8) uint8 { return min(n, math.MaxUint8-1) + 1 }

// refuse records that the server does not accept the Event. Later occurrences are dropped for
// the same reason without a write: a hot loop with an event that is never accepted costs a
// few requests an hour, not one per occurrence. Now and then an occurrence is tried, since
// the cause of a refusal may end: a webhook that was not ready, a namespace that is created
// again.
func (s *Series) refuse(reason stats.Reason, now moment) {
	s.refusedFor, s.refusals, s.holds, s.lastWrite = reason, oneMore(s.refusals), 0, now
}

// A series is given up after maxDenials in a row, over denialTime at least. It takes
// both: a webhook that starts ("not yet ready to handle request"), and RBAC that has not
// reached every API server, refuse many times in a few seconds, and then no more.
const (
	maxDenials = 3
	denialTime = time.Minute
)

// deny counts a refusal of this series alone, and reports whether it is the last word.
// The count is kept until the series is stored, so that one more refusal is enough when
// it is tried again. A refusal of the whole namespace ends the row.
func (s *Series) deny(v request.Verdict, now moment) bool {
	if v.Reason == stats.None {
		if x := s.rare(); x.denials > 0 {
			x.denials = 0
		}
		return false
	}
	x := s.more()
	if x.denials == 0 || now.Before(x.deniedSince) { // or the clock was set back
		x.deniedSince = now
	}
	x.denials = oneMore(x.denials)
	return x.denials >= maxDenials && now.Sub(x.deniedSince) >= denialTime
}

// hold records that the server does not accept this write for now.
func (s *Series) hold(now moment) { s.holds, s.lastWrite = oneMore(s.holds), now }

// mayRetry reports whether an occurrence at now is tried although the series was
// refused. The time since the refusal is taken without its sign, because a clock
// that is set back must not make the refusal last.
func (s *Series) mayRetry(now moment, iv *Intervals) bool {
	if s.refusedFor == stats.None {
		return false
	}
	return now.Sub(s.lastWrite).Abs() >= s.retryAfter(iv)
}

// retryAfter is how long a refused series drops occurrences.
func (s *Series) retryAfter(iv *Intervals) time.Duration {
	return min(backoff(firstRetry, longestRetry, s.refusals), iv.Refresh)
}

// superseded reports whether the next try needs another Event. Of this one the
// server may have more than is recorded, and a count must never decrease.
func (s *Series) superseded(now moment, iv *Intervals) bool {
	return s.rare().maxUnconfirmed > s.recorded && s.mayRetry(now, iv)
}

// retry lets occurrences through to the writer again, until that has its answer.
func (s *Series) retry(now time.Time) {
	s.refusedFor = stats.None
	if s.recorded == 0 { // it is the first one that the server will know of
		s.began = now.UnixMicro()
	}
}

// inherit takes over the back-off of a superseded series of the same key.
func (s *Series) inherit(old *Series, now moment, iv *Intervals) {
	if !old.finished(now, iv) {
		s.refusals = old.refusals
	}
}
