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

// A refresh that is due when there is no token is written all the same.
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
