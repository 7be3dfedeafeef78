// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/eventseries/eventseries/internal/timing"
)

// lifetime learns how long the server keeps Events (its --event-ttl). It is safe for concurrent use.
//
// An Event that is gone may have expired, or somebody has deleted it. So nothing is learned before
// enough series in enough namespaces have missed their Events in a short time. The estimate is tested
// again: now and then a series waits as if there were none ([lifetime.isTester]), and if its Event is
// still there, the estimate is forgotten.
type lifetime struct {
	// estimate is a time.Duration: the longest one if nothing is known.
	estimate atomic.Int64

	mu sync.Mutex // guards the rest
	// missing are the disappearances since the last estimate, the oldest first.
	missing []disappearance
	// ahead is the time by which the clock on the wall is ahead of the monotonic one. It last
	// changed at jumped.
	ahead  time.Duration
	jumped monotime
}

// disappearance is an Event that the server had, and has no more.
type disappearance struct {
	// series is the number of the series, its arrival.
	series    int64
	namespace string
	storedAt  monotime
	at        monotime
}

// age returns an upper bound for the lifetime of the Event: the time since it was stored.
func (d disappearance) age() time.Duration { return d.at.Sub(d.storedAt) }

const (
	// missingSeries and missingNamespaces are the least numbers of series and of their namespaces that
	// must miss their Events within two refresh intervals, before anything is learned from that.
	// Somebody who cleans up one namespace does not do it in another.
	missingSeries     = 3
	missingNamespaces = 2
	// maxMissing bounds the memory.
	maxMissing = 64
	// testers is the number of series among which one tests the estimate. After
	// timing.LifetimeTestEvery it is another one.
	testers = 8
)

func newLifetime() *lifetime {
	l := &lifetime{}
	l.estimate.Store(math.MaxInt64)
	return l
}

// refresh returns the time after the last write at which a series is written again: interval, or half
// the lifetime of Events if that is shorter, because each write renews the Event. arrival is the
// number of the series.
func (l *lifetime) refresh(interval time.Duration, arrival int64, storedAt monotime) time.Duration {
	estimate := l.estimate.Load()
	if estimate == math.MaxInt64 || l.isTester(arrival, storedAt) {
		return interval
	}
	return min(interval, time.Duration(estimate/2))
}

// isTester reports whether a series tests the estimate now.
func (l *lifetime) isTester(arrival int64, storedAt monotime) bool {
	return (arrival+int64(storedAt)/int64(timing.LifetimeTestEvery))%testers == 0
}

// lived learns from a Patch that was stored: an Event has lived for age. If that is longer than the
// estimate, the Events from which that was learned were deleted, and did not expire. A Patch must be an
// eighth later than the estimate, because Events do not expire to the second: etcd keeps Events of
// about the same time together, so that some live for 5 % longer.
func (l *lifetime) lived(age time.Duration) {
	if int64(age-age/8) <= l.estimate.Load() {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.estimate.Store(math.MaxInt64)
	l.missing = nil
}

// missed learns from a Patch of an Event that the server has no more.
func (l *lifetime) missed(d disappearance, refresh time.Duration) {
	if d.age() < timing.LeastLifetime {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if d.storedAt < l.jumped {
		return // the age is not known: no monotonic clock runs while a machine is suspended
	}
	l.missing = slices.DeleteFunc(l.missing, func(other disappearance) bool {
		return other.series == d.series || d.at.Sub(other.at) > 2*refresh
	})
	if len(l.missing) == maxMissing {
		l.missing = slices.Delete(l.missing, 0, 1)
	}
	l.missing = append(l.missing, d)
	oldest := time.Duration(0)
	namespaces := map[string]bool{}
	for _, each := range l.missing {
		oldest = max(oldest, each.age())
		namespaces[each.namespace] = true
	}
	if len(l.missing) < missingSeries || len(namespaces) < missingNamespaces {
		return
	}
	l.estimate.Store(min(l.estimate.Load(), int64(oldest)))
	l.missing = nil
}

// watchClock finds out, at each answer, whether the clock was set or has stood still since the last one.
func (l *lifetime) watchClock(now, epoch time.Time) {
	ahead := now.Round(0).Sub(epoch.Round(0)) - now.Sub(epoch) // without and with the monotonic clock
	l.mu.Lock()
	defer l.mu.Unlock()
	if (ahead - l.ahead).Abs() > timing.ClockJump {
		l.jumped = monotimeOf(now, epoch)
	}
	l.ahead = ahead
}
