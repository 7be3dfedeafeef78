// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
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

// Snapshot returns the accounts of all clusters added up, as Stats does, and in its field
// Clusters what each engaged cluster holds; see [Adapter.Snapshot]. All clusters together have
// 1,000 label sets.
func (c *Clusters) Snapshot(n int) Snapshot {
	c.mu.Lock()
	sums, members := maps.Clone(c.former.counts), c.membersLocked()
	s := Snapshot{Snapshot: c.unknown.Snapshot(0), Clusters: map[string]Snapshot{}}
	s.Stats = s.Stats.Add(c.former.stats)
	c.mu.Unlock()
	c.addCounts(sums, s.Counts)
	for _, m := range members {
		one := m.adapter.Snapshot(n)
		s.Stats = s.Stats.Add(one.Stats)
		c.addCounts(sums, one.Counts)
		if !m.gone.Load() {
			s.Clusters[m.name] = one
		}
	}
	s.Counts = slices.SortedFunc(maps.Values(sums), func(a, b events.Counts) int { return a.Labels.Compare(b.Labels) })
	return s
}

// addCounts adds counts to sums, under the labels that are told apart here.
func (c *Clusters) addCounts(sums map[events.Labels]events.Counts, counts []events.Counts) {
	for _, n := range counts {
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
