// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package world

import (
	"fmt"
	"time"
)

// Tally is what became of what occurred.
type Tally struct {
	Occurrences      int64
	Creates, Patches int64 // requests, also refused ones
	Events           int64 // created
	Shown            int64 // occurrences that the server came to count
	Counted          int64 // the sum of the counts that are stored
}

// Writes is the number of requests.
func (t Tally) Writes() int64 { return t.Creates + t.Patches }

// Lost is how many occurrences never reached the server.
func (t Tally) Lost() int64 { return t.Occurrences - t.Shown }

// Totals is what became of many series.
type Totals struct {
	Tally
	Series  int
	Inexact int // of which the server counts more or less than occurred
}

func (t Totals) String() string {
	return fmt.Sprintf("%d series, %d occurrences, %d creates + %d patches, %d Events, %d lost, %d counts inexact",
		t.Series, t.Occurrences, t.Creates, t.Patches, t.Events, t.Lost(), t.Inexact)
}

// Totals adds up all series of all components.
func (a *API) Totals() (t Totals) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, c := range a.components {
		for _, s := range c.series {
			t.Series++
			t.Occurrences += s.tally.Occurrences
			t.Creates += s.tally.Creates
			t.Patches += s.tally.Patches
			t.Events += s.tally.Events
			t.Shown += s.tally.Shown
			t.Counted += s.tally.Counted
			if s.tally.Counted != s.tally.Occurrences {
				t.Inexact++
			}
		}
	}
	return t
}

// Delays says how long it took from an occurrence to the write that shows it,
// for all that were shown.
func (a *API) Delays() Delays {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.delays
}

// Doublings returns delays. A delay begins when something has occurred twice as often as the server
// shows, and ends when the server shows that count. A delay that has not ended is counted until
// now.
func (a *API) Doublings() Delays {
	a.mu.Lock()
	defer a.mu.Unlock()
	d, now := a.doublings, time.Now().UnixNano()
	for _, c := range a.components {
		for _, s := range c.series {
			if s.run.until > 0 {
				d.Add(time.Duration(now - s.run.since))
			}
		}
	}
	return d
}
