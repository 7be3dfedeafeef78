// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/internal/request"
)

// behind is a series with times the count that is stored.
func behind(eventType string, times int64) *Series {
	s := NewSingle(&Occurrence{Key: keyOf("web", eventType), At: epoch})
	s.observed, s.recorded, s.exists = 10*times, 10, true
	return s
}

// The emptier the bucket, the further behind a series must be, and a Warning less.
//
// Caught: a bucket that the first ones empty; Normals before Warnings.
func TestPublishLimitIsForThoseFurthestBehind(t *testing.T) {
	c := newCache(intervals, 4)
	c.LimitPublishing(16, time.Minute)
	var got []string
	for _, times := range []int64{2, 3, 4, 7, 8, 1000} {
		for _, eventType := range []string{normal, warning} {
			n := 0
			for c.mayPublish(behind(eventType, times), after(0)) {
				n++
			}
			got = append(got, fmt.Sprint(eventType, " ", times, "x: ", n))
		}
	}
	want := []string{
		"Normal 2x: 8", "Warning 2x: 4", "Normal 3x: 0", "Warning 3x: 0", "Normal 4x: 0", "Warning 4x: 2",
		"Normal 7x: 0", "Warning 7x: 0", "Normal 8x: 0", "Warning 8x: 1", "Normal 1000x: 1", "Warning 1000x: 0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Tokens come back one by one. A clock that is set gives no more than the burst.
func TestPublishLimitRefills(t *testing.T) {
	c := newCache(intervals, 4)
	c.LimitPublishing(2, time.Minute)
	for _, row := range []struct {
		name string
		now  time.Duration
		want int
	}{
		{"full", 0, 2},
		{"not yet back", time.Minute - 1, 0},
		{"one back", time.Minute, 1},
		{"not yet, either", 2*time.Minute - 1, 0},
		{"the clock is set back", -24 * time.Hour, 0},
		{"another one back", 2 * time.Minute, 1},
		{"the clock is set to a later time", 1000 * time.Hour, 2},
	} {
		n := 0
		for c.mayPublish(behind(warning, 1000), after(row.now)) {
			n++
		}
		if n != row.want {
			t.Errorf("%s: %d tokens, want %d", row.name, n, row.want)
		}
	}
}

// What found no token says that it waits for its refresh, and asks again once the count
// has doubled again.
//
// Caught: a wait for a token without an end; a series that asks with each occurrence, or never.
func TestWithoutATokenASeriesWaits(t *testing.T) {
	c := newCache(intervals, 4)
	c.LimitPublishing(1, time.Hour)
	c.mayPublish(behind(warning, 1000), after(0))
	s := recorded(t, c, spread("web", warning), 2, epoch)
	now := at(time.Minute)
	state := func() (asked int64, why string, until time.Duration) {
		frequent, _ := c.List(1, epoch)
		return s.publishFrom(), frequent[0].WaitsFor, frequent[0].WaitsUntil.Sub(epoch)
	}
	for n := int64(3); n <= 40; n++ {
		if r := see(c, spread("web", warning), now); r.Enqueue != request.NoWrite {
			t.Fatalf("occurrence %d is written", n)
		}
		want := int64(4)
		for want <= n {
			want *= 2
		}
		asked, why, until := state()
		if asked != want || why != ForInterval || until != time.Minute+intervals.Finish {
			t.Errorf("occurrence %d: asks again at %d, want %d, and waits for %v until %v", n, asked, want, why, until)
		}
	}
	c.LimitPublishing(1, time.Hour)
	for range 23 {
		see(c, spread("web", warning), now)
	}
	if r := see(c, spread("web", warning), now); r.Enqueue.Op() != request.Patch {
		t.Errorf("occurrence 64 waits with a token")
	}
	stored(t, c, s, now)
	if asked, _, _ := state(); asked != 128 {
		t.Errorf("asks again at %d, want 128", asked)
	}
}

// A refresh that is due when there is no token is written all the same.
//
// Caught: a series that waits for ever in the timer's loop, or for the next refresh.
func TestRefreshNeedsNoToken(t *testing.T) {
	c := newCache(intervals, 4)
	c.LimitPublishing(1, 24*time.Hour)
	c.mayPublish(behind(warning, 1000), after(0))
	s := recorded(t, c, spread("web", warning), 2, epoch)
	for range 5 {
		see(c, spread("web", warning), at(time.Second))
	}
	due, _, _ := expire(c, at(time.Hour)) // the process was stopped for an hour
	if diff := cmp.Diff([]Due{{s, request.Count}}, due, cmp.Comparer(func(a, b *Series) bool { return a == b })); diff != "" {
		t.Errorf("due (-want +got):\n%s", diff)
	}
}
