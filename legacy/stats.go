// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"iter"
	"time"

	"github.com/eventseries/eventseries"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/stats"
)

// Stats returns one consistent view of the accounts, in which
//
//	Observed = Recorded + Pending + the sum of Dropped
//
// An occurrence is Recorded when its own write was acknowledged. One that the
// spam filter suppressed is Dropped[SpamFilter], and one that the server refused
// Dropped[Rejected], though the correlator adds both to a later count of the same
// event, as client-go's does, so that the count on the server may exceed Recorded. With
// several sinks every occurrence counts once for each of them, as each may lose
// it. Series is how many objects (namespaces, with a KeyFunc) have something
// waiting, Pending how much. It takes no I/O and may be called at any time.
func (b *Broadcaster) Stats() events.Stats {
	balances, objects, oldest := b.balances()
	total := balances.Total()
	return events.Stats{
		Version:  eventseries.Version(),
		Observed: total.Observed, Recorded: total.Recorded, Pending: total.Pending, Unconfirmed: total.Unconfirmed,
		OldestPending: oldest,
		Dropped:       stats.DroppedBy[events.DropReason](&total.Counters),
		Repaired:      map[events.Repair]int64{},
		Series:        int(objects),
		Creates:       total.Creates, Patches: total.Patches, Retries: total.Retries,
		WatcherDropped: b.watchers.Dropped(),
	}
}

// Counts returns the accounts of Stats by label set, as [events.Broadcaster.Counts] does.
func (b *Broadcaster) Counts() iter.Seq[events.Counts] {
	return func(yield func(events.Counts) bool) {
		balances, _, _ := b.balances()
		for labels, balance := range balances.Sorted() {
			if !yield(events.Counts{
				Labels:   events.Labels(labels),
				Observed: balance.Observed, Recorded: balance.Recorded, Pending: balance.Pending,
				Dropped: stats.DroppedBy[events.DropReason](&balance.Counters),
			}) {
				return
			}
		}
	}
}

// balances returns the accounts of all sinks, present and past, of how many objects
// something waits, and since when.
func (b *Broadcaster) balances() (balances stats.Balances, objects int64, oldest time.Time) {
	balances = stats.Balances{}
	b.mu.Lock()
	defer b.mu.Unlock()
	for labels, account := range b.settled.All() {
		balances.Of(labels).Add(&account.Counters)
	}
	for _, s := range b.writers {
		n, since := s.backlog.sum(balances)
		objects += n
		oldest = earliest(oldest, since)
	}
	return balances, objects, oldest
}

// OnRequest calls handle after each request, as [events.Broadcaster.OnRequest] does. A
// sink that is not client-go's is taken to write through core/v1, too.
func (b *Broadcaster) OnRequest(handle func(events.Request)) (stop func()) {
	return b.requests.Add(handle)
}
