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

// Tally tells what became of the series.
func (s *Series) Tally() Tally {
	s.component.api.mu.Lock()
	defer s.component.api.mu.Unlock()
	return s.tally()
}

func (s *Series) tally() Tally {
	return Tally{
		Occurrences: s.occurred, Creates: s.creates, Patches: s.patches,
		Events: s.events, Shown: s.shown, Counted: s.counted,
	}
}

// Totals is what became of many series.
type Totals struct {
	Tally
	Series  int // that occurred
	Inexact int // of which the server counts more or less than occurred
}

func (t Totals) String() string {
	return fmt.Sprintf("%d series, %d occurrences, %d creates + %d patches, %d Events, %d lost, %d counts inexact",
		t.Series, t.Occurrences, t.Creates, t.Patches, t.Events, t.Lost(), t.Inexact)
}

// Totals adds up all components.
func (a *API) Totals() Totals {
	a.mu.Lock()
	defer a.mu.Unlock()
	var all Totals
	for _, c := range a.components {
		all.add(c)
	}
	return all
}

// Totals is what became of what occurred in the component.
func (c *Component) Totals() Totals {
	c.api.mu.Lock()
	defer c.api.mu.Unlock()
	var t Totals
	t.add(c)
	return t
}

func (t *Totals) add(c *Component) {
	for _, s := range c.series {
		if s.occurred == 0 {
			continue
		}
		t.Series++
		t.Occurrences += s.occurred
		t.Creates += s.creates
		t.Patches += s.patches
		t.Events += s.events
		t.Shown += s.shown
		t.Counted += s.counted
		if s.counted != s.occurred {
			t.Inexact++
		}
	}
}

// Delays says how long it took from an occurrence to the write that shows it,
// for all that were shown.
func (a *API) Delays() Delays {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.delays
}

// Appearances says how long it took from the first occurrence of an Event to the
// write that created it.
func (a *API) Appearances() Delays {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.appearances
}

// Doublings says how long it took, each time that something had occurred twice as
// often as the server showed, until the server showed that count. What is still
// not shown counts with its delay until now.
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
