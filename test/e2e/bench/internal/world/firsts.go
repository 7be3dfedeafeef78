// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package world

import (
	"slices"
	"time"
)

// first is the first occurrence of an Event that was created.
type first struct {
	occurred int64 // in Unix nanoseconds
	took     time.Duration
	warning  bool
}

// Firsts is how long the first occurrences of Events took until these were stored.
type Firsts struct {
	Took Delays
	// Ideal is how long they would have taken in the same clients, had these sent
	// nothing else, and Warnings before Normals.
	Ideal Delays
	// InTime is Took of those that the ideal order stores within a bound.
	InTime Delays
}

// Firsts returns the first occurrences of Warnings, or of all Events. If the ideal order cannot
// store one within bound, the clients may not send so many, or the server could not be reached.
func (a *API) Firsts(warningsOnly bool, bound time.Duration) *Firsts {
	a.mu.Lock()
	defer a.mu.Unlock()
	var f Firsts
	for _, c := range a.components {
		firsts := slices.Clone(c.firsts)
		slices.SortStableFunc(firsts, func(x, y first) int { return int(x.occurred - y.occurred) })
		for i, ideal := range c.idealDelays(firsts) {
			one := firsts[i]
			if warningsOnly && !one.warning {
				continue
			}
			f.Took.Add(one.took)
			f.Ideal.Add(ideal)
			if ideal <= bound {
				f.InTime.Add(one.took)
			}
		}
	}
	return &f
}

// idealDelays plays what has occurred, in that order, through the rate limiter.
func (c *Component) idealDelays(firsts []first) []time.Duration {
	delays := make([]time.Duration, len(firsts))
	if len(firsts) == 0 {
		return delays
	}
	var warnings, normals []int // those that wait, as indices
	tokens, now := float64(c.Burst), firsts[0].occurred
	pass := func(d time.Duration) {
		now += int64(d)
		tokens = min(float64(c.Burst), tokens+d.Seconds()*float64(c.QPS))
	}
	for next := 0; ; {
		for ; next < len(firsts) && firsts[next].occurred <= now; next++ {
			if firsts[next].warning {
				warnings = append(warnings, next)
			} else {
				normals = append(normals, next)
			}
		}
		waiting := &warnings
		if len(warnings) == 0 {
			waiting = &normals
		}
		switch {
		case len(*waiting) == 0 && next == len(firsts):
			return delays
		case len(*waiting) == 0:
			pass(time.Duration(firsts[next].occurred - now))
		case c.Cut != nil && c.Cut(time.Unix(0, now)):
			pass(time.Second)
		case tokens < 1:
			pass(time.Duration((1-tokens)/float64(c.QPS)*float64(time.Second)) + 1)
		default:
			tokens--
			i := (*waiting)[0]
			*waiting = (*waiting)[1:]
			delays[i] = time.Duration(now-firsts[i].occurred) + latency
		}
	}
}
