// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package stats counts occurrences: every one that was observed is recorded,
// pending or dropped for a reason (invariant I1, conservation).
package stats

import "time"

// Reason says why occurrences were dropped.
type Reason uint8

// The reasons, in the order in which [Reasons] names them.
const (
	None Reason = iota
	Invalid
	Stopped
	CacheFull
	Rejected
	NamespaceGone
	TooOld
	Abandoned
	Filtered
	SpamFilter
	QueueFull
	Muted
	UnknownCluster
	numReasons
)

var reasonNames = [numReasons]string{
	"None", "Invalid", "Stopped", "CacheFull", "Rejected", "NamespaceGone", "TooOld", "Abandoned", "Filtered",
	"SpamFilter", "QueueFull", "Muted", "UnknownCluster",
}

// String returns the name users see in Stats and in log lines.
func (r Reason) String() string { return reasonNames[r] }

// Reasons lists every reason but None.
func Reasons() []Reason {
	all := make([]Reason, 0, numReasons-1)
	for r := Invalid; r < numReasons; r++ {
		all = append(all, r)
	}
	return all
}

// Counters are totals in occurrences or requests. The owner's lock guards them, so
// that no snapshot sees one half of a change.
type Counters struct {
	Observed    int64
	Folded      int64 // of them, beyond the limit of their object
	Recorded    int64
	Pending     int64 // set for a snapshot; summed over what waits and never derived, so that conservation can fail
	Unconfirmed int64 // of the dropped: the server may have them all the same
	Dropped     [numReasons]int64

	Creates, Patches, Retries, Evicted int64
}

// Drop counts n occurrences that are dropped as soon as they are observed.
func (c *Counters) Drop(reason Reason, n int64) {
	c.Observed += n
	c.Dropped[reason] += n
}

// Add adds the totals of other.
func (c *Counters) Add(other *Counters) {
	c.Observed += other.Observed
	c.Folded += other.Folded
	c.Recorded += other.Recorded
	c.Pending += other.Pending
	c.Unconfirmed += other.Unconfirmed
	for r := range c.Dropped {
		c.Dropped[r] += other.Dropped[r]
	}
	c.Creates += other.Creates
	c.Patches += other.Patches
	c.Retries += other.Retries
	c.Evicted += other.Evicted
}

// DroppedBy returns what was dropped by reason, with every reason as a key. R is the
// type that users see.
func DroppedBy[R ~string](c *Counters) map[R]int64 {
	dropped := make(map[R]int64, len(c.Dropped))
	for _, r := range Reasons() {
		dropped[R(r.String())] = c.Dropped[r]
	}
	return dropped
}

// Earlier returns the earlier one of two times, of which the zero time is none.
func Earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
