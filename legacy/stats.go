// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
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
// Dropped[Rejected], though client-go's correlator adds both to a later count of
// the same event, so that the count on the server may exceed Recorded. With
// several sinks every occurrence counts once for each of them, as each may lose
// it. Series is how many objects (namespaces, with a KeyFunc) have something
// waiting, Pending how much. It takes no I/O and may be called at any time.
func (b *Broadcaster) Stats() events.Stats {
	var pending, objects int64
	b.mu.Lock()
	total := b.settled
	for _, s := range b.writers {
		p, n := s.backlog.sum(&total)
		pending += p
		objects += n
	}
	b.mu.Unlock()
	return events.Stats{
		Version:  eventseries.Version(),
		Observed: total.Observed, Recorded: total.Recorded, Pending: pending, Unconfirmed: total.Unconfirmed,
		Dropped:  stats.DroppedBy[events.DropReason](&total),
		Repaired: map[events.Repair]int64{},
		Series:   int(objects),
		Creates:  total.Creates, Patches: total.Patches, Retries: total.Retries,
		WatcherDropped: b.watchers.Dropped(),
	}
}
