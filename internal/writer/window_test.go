// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/internal/timing"
)

// path plays a server to a window: a round after the other, in each of which as many writes are answered as may be under
// way. refuses says how many of them are refused. It returns the limit after each round.
func path(w *window, rounds int, refuses func(limit int) int) (limits []int) {
	now := time.Unix(1e9, 0)
	job := uint64(0)
	for range rounds {
		limit := w.limit
		last := job + uint64(limit)
		refused := refuses(limit)
		for range limit {
			job++
			if refused > 0 {
				refused--
				w.bad(job, last, now)
			} else {
				w.full = true
				w.good(job, now)
			}
		}
		now = now.Add(100 * time.Millisecond)
		limits = append(limits, w.limit)
	}
	return limits
}

// seated is a server that works on so many writes at a time.
func seated(seats int) func(limit int) int {
	return func(limit int) int { return max(0, limit-seats) }
}

func TestWindow(t *testing.T) {
	for name, row := range map[string]struct {
		most  int
		seats int
		want  []int
	}{
		"grows by one a round, up to its most":                              {8, 100, []int{5, 6, 7, 8, 8}},
		"begins no larger than its most":                                    {2, 100, []int{2, 2}},
		"is halved once a round, and waits below the size that was refused": {64, 6, []int{5, 6, 7, 3, 4, 5, 6, 6}},
		"is never empty": {4, 0, []int{2, 1, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWindow(row.most)
			if got := path(&w, len(row.want), seated(row.seats)); !cmp.Equal(got, row.want) {
				t.Errorf("limits %v, want %v", got, row.want)
			}
		})
	}
}

// There is no later time to grow in. Caught: growth by rounds; a window that a third of refusals makes small; one that
// stays large although most writes are refused.
func TestWindowAtTheEnd(t *testing.T) {
	for name, row := range map[string]struct {
		refuses func(limit int) int
		want    []int
	}{
		"grows by one an answer":       {seated(100), []int{32, 64, 64}},
		"has a third refused":          {func(limit int) int { return limit / 3 }, []int{22, 30, 40, 54, 64}},
		"keeps a server of seats busy": {seated(2), []int{4, 4, 4}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWindow(64)
			w.end()
			if w.limit != lastLimit {
				t.Errorf("it begins with %d, want %d", w.limit, lastLimit)
			}
			if got := path(&w, len(row.want), row.refuses); !cmp.Equal(got, row.want) {
				t.Errorf("limits %v, want %v", got, row.want)
			}
		})
	}
}

// A window that is not full any more does not grow at the end either.
func TestWindowAtTheEndGrowsForABacklogOnly(t *testing.T) {
	w := newWindow(64)
	w.end()
	w.full = true
	for job := range uint64(10) {
		w.good(job+1, time.Unix(1e9, 0))
	}
	if want := lastLimit + 1; w.limit != want {
		t.Errorf("limit %d, want %d", w.limit, want)
	}
}

// Without a backlog nobody knows whether the server could take more.
func TestWindowGrowsForABacklogOnly(t *testing.T) {
	w := newWindow(8)
	for job := range uint64(100) {
		w.good(job+1, time.Unix(1e9, 0))
	}
	if w.limit != firstLimit {
		t.Errorf("limit %d, want %d", w.limit, firstLimit)
	}
}

// The size at which a server refused is tried again, as the server may have more room by then.
func TestWindowForgets(t *testing.T) {
	w := newWindow(8)
	path(&w, 1, seated(0))
	late := time.Unix(1e9, 0).Add(timing.WindowMemory + time.Second)
	for job := uint64(100); w.limit < 6 && job < 200; job++ {
		w.full = true
		w.good(job, late)
	}
	if w.limit != 6 {
		t.Errorf("limit %d, want it to grow beyond the 4 at which it was refused", w.limit)
	}
}
