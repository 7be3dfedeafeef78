// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import "time"

const (
	// firstLimit is how many writes are under way at first: at 80 ms a write they keep up
	// with a client of 50 requests a second, as kubelet's is.
	firstLimit = 4
	// tryAgain is how long a size at which the server refused is not tried again.
	tryAgain = 5 * time.Second
	// bestFor is for how long the best answer counts, and up to twice that.
	bestFor = 30 * time.Second
	// tolerance is what a round may be slower than twice the best answer: a server is not
	// overloaded because it syncs its disk.
	tolerance = 50 * time.Millisecond
)

// window is how many writes may be under way. It follows the server as TCP's congestion
// window follows a path: while there is more to write than may be under way it grows by one
// a round, which is as many answers as may be under way. It is halved when the server says
// that it has too much to do ([request.Shared]), and by a round of which no answer was nearly
// as fast as the best one: what delays all is the server or a rate limiter, and no webhook.
// A write without an answer says more about its namespace. At the end the window grows by one
// an answer, until the server refuses one.
type window struct {
	most, limit int
	ending      bool // there is no later time to write in

	answers int           // in this round
	fastest time.Duration // of them
	full    bool          // something had to wait for others

	best, former time.Duration // the fastest answers of the present time and of the one before
	bestSince    time.Time

	refusedAt    int       // the size at which the server had too much to do last
	refused      time.Time // when it did
	refusedUntil uint64    // the last write that was under way then: such answers are no news
}

func newWindow(most int) window { return window{most: most, limit: min(firstLimit, most)} }

// good learns from the answer to a write.
func (w *window) good(job uint64, now time.Time, took time.Duration) {
	if job <= w.refusedUntil {
		return
	}
	if w.answers == 0 || took < w.fastest {
		w.fastest = took
	}
	if w.ending && w.full && w.limit < w.most && now.Sub(w.refused) > tryAgain {
		w.limit++
	}
	if w.answers++; w.answers < w.limit {
		return
	}
	switch {
	case now.Sub(w.bestSince) > bestFor:
		w.former, w.best, w.bestSince = w.best, w.fastest, now
	case w.fastest < w.best:
		w.best = w.fastest
	}
	best := w.best
	if w.former > 0 {
		best = min(best, w.former)
	}
	switch {
	case w.fastest > 2*best+tolerance:
		w.limit = max(1, w.limit/2)
	case w.full && w.limit < w.most && (w.limit+1 < w.refusedAt || now.Sub(w.refused) > tryAgain):
		w.limit++
	}
	w.answers, w.full = 0, false
}

// bad learns that the server has too much to do. last is the last write that was begun.
func (w *window) bad(job, last uint64, now time.Time) {
	if job <= w.refusedUntil {
		return
	}
	w.refusedAt, w.refused, w.refusedUntil = w.limit, now, last
	w.limit = max(1, w.limit/2)
	w.answers, w.full = 0, false
}
