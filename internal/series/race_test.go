// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"sync"
	"testing"

	"github.com/eventseries/eventseries/internal/request"
)

// The name of an Event is read without a lock, by watchers and by the page, while answers change the series.
//
// Caught, by the race detector: what few series have, added to a series as a plain pointer.
func TestEventNameConcurrentSafe(t *testing.T) {
	c := newCache(intervals, 4)
	s := see(c, keyOf("web", warning), at(0)).Series
	w := write(t, c, s)
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
