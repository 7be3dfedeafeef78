// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"time"

	"github.com/eventseries/eventseries/internal/timing"
)

const (
	// firstLimit is the initial size of the window. At 80 ms per write, four writes in flight keep
	// up with a client that may send 50 requests per second, such as the kubelet's.
	firstLimit = 4
	// lastLimit is the minimum size of the window when the writer is ending.
	lastLimit = 16
)

// window limits the number of writes in flight. It adapts to the server as TCP's congestion window
// adapts to a network path. While more items wait than may be in flight, it grows by one per round;
// a round is as many answers as the size of the window. It is halved when the server is
// [overloaded]. Missing answers and latency do not change it, because they say more about a
// namespace than about the server.
//
// When the writer is ending, writes can no longer be put off. Therefore the window then grows by
// one with each good answer, and shrinks by only one with each refusal. This keeps a server with
// little room busy. A server that refuses a third of its writes at random, regardless of the
// window, still gets many writes at a time.
type window struct {
	most   int
	limit  int
	ending bool

	// answers is the number of good answers in this round.
	answers int
	// full is true if an item had to wait in this round because the window was full.
	full bool

	// refusedAt is the size of the window when the server was last overloaded. refused is the time
	// of that overload.
	refusedAt int
	refused   time.Time
	// refusedUntil is the ID of the newest job that was in flight when the window was last halved.
	// Answers to jobs up to this ID are ignored, because these jobs began before the window was
	// halved.
	refusedUntil uint64
}

func newWindow(most int) window { return window{most: most, limit: min(firstLimit, most)} }

// end switches the window to the rules that apply while the writer is ending. It also enlarges a
// window that is smaller than lastLimit.
func (w *window) end() {
	w.ending = true
	w.limit = max(w.limit, min(lastLimit, w.most))
}

// good updates the window after a good answer to a job.
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

// bad updates the window after a job was refused because of overload. The parameter last is the ID
// of the newest job.
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
