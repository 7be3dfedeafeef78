// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"time"

	"github.com/eventseries/eventseries/internal/timing"
)

const (
	// firstLimit is how many writes are in flight at first: at 80 ms a write they keep up
	// with a client of 50 requests a second, as kubelet's is.
	firstLimit = 4
	// lastLimit is how many they are at the end, at least.
	lastLimit = 16
)

// window is how many writes may be in flight. It follows the server as TCP's congestion
// window follows a path: while there is more to write than may be in flight it grows by one
// a round, which is as many answers as may be in flight. It is halved when the server has too
// much to do ([overloaded]). A write without an answer, and the latency of answers, say more
// about a namespace.
//
// At the end there is no later time to write in. So the window grows by one a good answer and
// shrinks by one a refusal. That keeps a server with few seats busy, and one that refuses a third
// of its writes at random, whatever the size is, still gets many at a time.
type window struct {
	most   int
	limit  int
	ending bool

	// answers is how many there were in this round.
	answers int
	// full says that something had to wait for others.
	full bool

	// refusedAt is the size at which the server had too much to do last, and refused is when.
	refusedAt int
	refused   time.Time
	// refusedUntil is the last write that was in flight then: further refusals of these are no news.
	refusedUntil uint64
}

func newWindow(most int) window { return window{most: most, limit: min(firstLimit, most)} }

// end begins the end.
func (w *window) end() {
	w.ending = true
	w.limit = max(w.limit, min(lastLimit, w.most))
}

// good learns from a good answer to a write.
func (w *window) good(job uint64, now time.Time) {
	if w.ending {
		if w.full {
			w.limit = min(w.limit+1, w.most)
		}
		w.beginRound()
		return
	}
	if job <= w.refusedUntil {
		return
	}
	w.answers++
	if w.answers < w.limit {
		return
	}
	mayGrow := w.limit+1 < w.refusedAt || now.Sub(w.refused) > timing.WindowMemory
	if w.full && w.limit < w.most && mayGrow {
		w.limit++
	}
	w.beginRound()
}

// bad learns that the server has too much to do. last is the last write that was begun.
func (w *window) bad(job, last uint64, now time.Time) {
	if w.ending {
		w.limit = max(1, w.limit-1)
		return
	}
	if job <= w.refusedUntil {
		return
	}
	w.refusedAt = w.limit
	w.refused = now
	w.refusedUntil = last
	w.limit = max(1, w.limit/2)
	w.beginRound()
}

func (w *window) beginRound() {
	w.answers = 0
	w.full = false
}
