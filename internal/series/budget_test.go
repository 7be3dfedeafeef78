// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

// Many newcomers at once each find a place while there are enough, although
// they look for the same oldest series.
func TestRoomForAllNewcomersConcurrentSafe(t *testing.T) {
	const places = 16
	for round := range 200 {
		for newcomer, evict := range map[string]bool{normal: true, warning: false} {
			c := newCache(intervals, places)
			for i := range places {
				k := spread(fmt.Sprint("old-", i), normal)
				if see(c, k, at(0)); evict {
					stored(t, see(c, k, at(0)).Series, at(0))
				}
			}
			var group sync.WaitGroup
			var dropped atomic.Int64
			for i := range places {
				group.Go(func() {
					k := spread(fmt.Sprint("new-", i), newcomer)
					if r := see(c, k, at(time.Minute)); r.Dropped != stats.None {
						dropped.Add(1)
					}
				})
			}
			group.Wait()
			if n := dropped.Load(); n != 0 {
				t.Fatalf("round %d: %d of %d %s newcomers dropped as CacheFull", round, n, places, newcomer)
			}
		}
	}
}

// The name of an Event is read without a lock, by watchers and by the page, while answers change the series.
func TestEventNameConcurrentSafe(t *testing.T) {
	c := newCache(intervals, 4)
	s := see(c, keyOf("web", warning), at(0)).Series
	w := write(t, s)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if _, name := s.EventName(); name == "" {
				t.Error("no name")
			}
		})
	}
	s.Settle(w, request.NoAnswer, nil, at(0)) // the server may have it: that is kept
	all.Wait()
}
