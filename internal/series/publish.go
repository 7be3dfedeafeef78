// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"math"
	"math/bits"
	"sync"
	"time"
)

// publishLimit bounds how many doubled counts a cache writes: a token bucket. KEP-383 asks
// for none of these writes, so whoever gets no token waits for its refresh or finish, and
// asks again once its count has doubled again. The emptier the bucket, the further behind
// a series must be: one that is 2ᵏ times behind leaves a 2ᵏth part of the bucket to those
// that are further, and half as much if it is a Warning. So the order of the questions
// matters little, and no series is compared with another.
type publishLimit struct {
	burst    int64
	interval time.Duration

	mu sync.Mutex // guards the bucket; it is taken for each doubling at most
	bucket
}

// LimitPublishing lets a burst of doubled counts be written, and then one in each
// interval. It must be called before anything is observed. Without it all are written.
func (c *Cache) LimitPublishing(burst int, interval time.Duration) {
	c.publishing = &publishLimit{burst: int64(burst), interval: interval}
}

// take takes a token for s, if there is one. A nil limit has as many as are asked for.
func (l *publishLimit) take(s *Series, now moment) bool {
	if l == nil {
		return true
	}
	further := bits.Len64(uint64(s.count()/s.recorded)) - 1
	if !s.normal() {
		further++
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refill(l.interval, now)
	if l.burst-l.taken <= l.burst>>further {
		return false
	}
	l.taken++
	return true
}

// publishAt returns when a count that has doubled is written.
func (s *Series) publishAt(iv *Intervals) moment {
	if iv.Publish < 0 || s.count() < s.publishFrom() {
		return math.MaxInt64
	}
	return s.lastWrite.Add(iv.Publish)
}

// publishFrom is the count at which the series is published: what is recorded has
// doubled, and doubled again for each time that there was no token. What others count in
// the Event does not matter: a kill loses what this process has not written.
func (s *Series) publishFrom() int64 { return s.recorded << (1 + s.unpublished) }

// passOver has the series wait until its count has doubled again.
func (s *Series) passOver() {
	for s.count() >= s.publishFrom() {
		s.unpublished++
	}
}
