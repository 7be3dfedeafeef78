// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"iter"
	"maps"
	"slices"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/stats"
)

// totals are accounts that are added up.
type totals struct {
	stats  events.Stats
	counts map[events.Labels]events.Counts
}

// Stats returns the accounts of all clusters added up, of those that were disengaged and of
// unknown ones, too. So they never decrease. [Adapter.Stats] has those of one cluster.
func (c *Clusters) Stats() events.Stats {
	c.mu.Lock()
	sum, members := c.former.stats, c.membersLocked()
	c.mu.Unlock()
	sum = c.unknown.Stats().Add(sum)
	for _, m := range members {
		sum = sum.Add(m.adapter.Stats())
	}
	return sum
}

// Counts returns the accounts of Stats by label set; see [events.Broadcaster.Counts]. All
// clusters together have 1,000 sets.
func (c *Clusters) Counts() iter.Seq[events.Counts] {
	return func(yield func(events.Counts) bool) {
		c.mu.Lock()
		sums, members := maps.Clone(c.former.counts), c.membersLocked()
		c.mu.Unlock()
		c.addCounts(sums, c.unknown.Counts())
		for _, m := range members {
			c.addCounts(sums, m.adapter.Counts())
		}
		for _, labels := range slices.SortedFunc(maps.Keys(sums), events.Labels.Compare) {
			if !yield(sums[labels]) {
				return
			}
		}
	}
}

// addCounts adds counts to sums, under the labels that are told apart here.
func (c *Clusters) addCounts(sums map[events.Labels]events.Counts, counts iter.Seq[events.Counts]) {
	for n := range counts {
		n.Labels = events.Labels(c.labels.Admit(stats.Labels(n.Labels)))
		sums[n.Labels] = n.Add(sums[n.Labels])
	}
}

// OnRequest calls handle after each request to any cluster, as [Adapter.OnRequest] does.
func (c *Clusters) OnRequest(handle func(events.Request)) (stop func()) {
	return c.requests.Add(handle)
}

// membersLocked returns all members whose accounts are not in former.
func (c *Clusters) membersLocked() []*member {
	return slices.AppendSeq(slices.Collect(maps.Keys(c.ending)), maps.Values(c.engaged))
}
