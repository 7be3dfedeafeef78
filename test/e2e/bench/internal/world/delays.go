// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package world

import (
	"math"
	"time"
)

// Delays is a histogram. Its buckets grow by 2 %, so that a quantile is at most
// that much too high; the longest delay is exact.
type Delays struct {
	buckets [1536]int64
	n       int64
	max     time.Duration
}

const (
	shortest = time.Microsecond
	growth   = 1.02
)

// Add counts a delay.
func (d *Delays) Add(delay time.Duration) {
	d.n++
	d.max = max(d.max, delay)
	i := 0
	if delay > shortest {
		i = int(math.Ceil(math.Log(float64(delay)/float64(shortest)) / math.Log(growth)))
	}
	d.buckets[min(i, len(d.buckets)-1)]++
}

// Count returns how many delays there are.
func (d *Delays) Count() int64 { return d.n }

// Max returns the longest.
func (d *Delays) Max() time.Duration { return d.max }

// Quantile returns what the share q of the delays does not exceed.
func (d *Delays) Quantile(q float64) time.Duration {
	rank := max(1, int64(math.Ceil(q*float64(d.n))))
	for i, n := range d.buckets {
		if rank -= n; rank <= 0 && d.n > 0 {
			return min(d.max, time.Duration(float64(shortest)*math.Pow(growth, float64(i))))
		}
	}
	return d.max
}
