// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"iter"

	"github.com/eventseries/eventseries/internal/stats"
)

// Labels are what occurrences are counted by, beside the totals of [Stats].
type Labels struct {
	// ReportingController is the recorder's, as it is on the Event.
	ReportingController string
	// RegardingKind is empty if the object cannot be referred to.
	RegardingKind string
	// Type is Normal, Warning, or "other".
	Type string
	// Reason is the event's own, as it is on the Event.
	Reason string
}

// Compare orders labels by their fields, the first one first.
func (l Labels) Compare(m Labels) int { return stats.Labels(l).Compare(stats.Labels(m)) }

// Counts are the accounts of the occurrences that have the same labels. As in [Stats],
// Observed = Recorded + Pending + the sum of Dropped.
type Counts struct {
	Labels
	// Observed, Folded, Recorded and Pending are as in [Stats]. What was folded has the
	// labels of the Event that it counts in.
	Observed, Folded, Recorded, Pending int64
	// Dropped has every reason as a key, also those with count 0.
	Dropped map[DropReason]int64
}

// Add returns the sum of c and other, with the labels of c. It changes neither.
func (c Counts) Add(other Counts) Counts {
	sum := c
	sum.Observed += other.Observed
	sum.Folded += other.Folded
	sum.Recorded += other.Recorded
	sum.Pending += other.Pending
	sum.Dropped = addMaps(c.Dropped, other.Dropped)
	return sum
}

// Counts returns the accounts of [Stats] by label set, sorted, as they are when the loop
// begins. No total ever goes down.
//
// A broadcaster tells 1,000 label sets apart. From the 900th on the reason of new sets
// is "other", and at the very end all but the type. So is a text of more than 512 bytes.
func (b *Broadcaster) Counts() iter.Seq[Counts] {
	return func(yield func(Counts) bool) {
		for labels, b := range b.core.Snapshot().Sorted() {
			if !yield(Counts{
				Labels:   Labels(labels),
				Observed: b.Observed, Folded: b.Folded, Recorded: b.Recorded, Pending: b.Pending,
				Dropped: stats.DroppedBy[DropReason](&b.Counters),
			}) {
				return
			}
		}
	}
}
