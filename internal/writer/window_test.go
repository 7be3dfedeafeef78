// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// path plays a server to a window: a round after the other, in each of which as many writes are answered as may be under
// way. It returns the limit after each.
func path(w *window, rounds int, answer func(round, limit int) (took time.Duration, refused bool)) (limits []int) {
	now, job := time.Unix(1e9, 0), uint64(0)
	for round := range rounds {
		limit := w.limit
		first, last := job+1, job+uint64(limit)
		for job = first; job <= last; job++ {
			took, refused := answer(round, limit)
			if refused {
				w.bad(job, last, now.Add(took))
			} else {
				w.full = true
				w.good(job, now.Add(took), took)
			}
		}
		job = last
		now = now.Add(100 * time.Millisecond)
		limits = append(limits, w.limit)
	}
	return limits
}

func TestWindow(t *testing.T) {
	const fast = 10 * time.Millisecond
	type answer func(round, limit int) (took time.Duration, refused bool)
	good := func(int, int) (time.Duration, bool) { return fast, false }
	answers := 0
	for name, row := range map[string]struct {
		most   int
		answer answer
		want   []int
	}{
		"grows by one a round, up to its most": {8, good, []int{5, 6, 7, 8, 8}},
		"begins no larger than its most":       {2, good, []int{2, 2}},
		"is halved once a round, and waits below the size that was refused": {
			64, func(_, limit int) (time.Duration, bool) { return fast, limit > 6 }, []int{5, 6, 7, 3, 4, 5, 6, 6},
		},
		"is never empty": {4, func(int, int) (time.Duration, bool) { return fast, true }, []int{2, 1, 1}},
		"is halved when all answers of a round are slow": {64, func(_, limit int) (time.Duration, bool) {
			return time.Duration(max(limit-5, 0)) * 50 * time.Millisecond, false
		}, []int{5, 6, 7, 3, 4, 5, 6, 7, 3}},
		"tolerates one slow answer": {8, func(int, int) (time.Duration, bool) {
			answers++
			return []time.Duration{time.Second, time.Millisecond, time.Millisecond}[answers%3], false
		}, []int{5, 6, 7, 8}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWindow(row.most)
			if got := path(&w, len(row.want), row.answer); !cmp.Equal(got, row.want) {
				t.Errorf("limits %v, want %v", got, row.want)
			}
		})
	}
}

// Without a backlog nobody knows whether the server could take more.
func TestWindowGrowsForABacklogOnly(t *testing.T) {
	w, now := newWindow(8), time.Unix(1e9, 0)
	for job := range uint64(100) {
		w.good(job+1, now, time.Millisecond)
	}
	if w.limit != firstLimit {
		t.Errorf("limit %d, want %d", w.limit, firstLimit)
	}
}

// The size at which a server refused is tried again, as the server may have more room by then, and so is a speed.
func TestWindowForgets(t *testing.T) {
	w := newWindow(8)
	path(&w, 1, func(int, int) (time.Duration, bool) { return time.Millisecond, true })
	late := time.Unix(1e9, 0).Add(tryAgain + time.Second)
	for job := uint64(100); w.limit < 6 && job < 200; job++ {
		w.full = true
		w.good(job, late, time.Millisecond)
	}
	if w.limit != 6 {
		t.Errorf("limit %d, want it to grow beyond the 4 at which it was refused", w.limit)
	}
	for job := uint64(200); job < 1000; job++ { // a server that is slow from now on
		late = late.Add(time.Second)
		w.full = true
		w.good(job, late, time.Second)
	}
	if w.limit != 8 {
		t.Errorf("limit %d, want it to grow again when nothing faster was seen for a minute", w.limit)
	}
}
