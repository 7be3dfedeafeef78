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

// lifetime estimates how long the server keeps Events (its --event-ttl). It is safe for concurrent
// use.
//
// An Event that has disappeared may have expired, or somebody may have deleted it. So the lifetime
// is not estimated until enough series in enough namespaces have lost their Events within a short
// time. The estimate is tested: from time to time a series ignores it ([lifetime.isTester]), and if
// its Event still exists, the estimate is discarded.
type lifetime struct {
	// estimate is a time.Duration, or the maximum int64 if the lifetime is not known.
	estimate atomic.Int64

	mu sync.Mutex // guards the rest
	// missing holds the disappearances since the last estimate, the oldest first.
	missing []disappearance
	// ahead is the difference between the wall clock and the monotonic clock. jumped is when this
	// difference last changed by more than timing.ClockJump.
	ahead  time.Duration
	jumped monotime
}

// disappearance describes an Event that the server had stored and no longer has.
type disappearance struct {
	// series is the arrival number of the series.
	series    int64
	namespace string
	storedAt  monotime
	at        monotime
}

// age returns an upper bound for the lifetime of the Event: the time from its last write until the
// SDK noticed that it has disappeared.
func (d disappearance) age() time.Duration { return d.at.Sub(d.storedAt) }

const (
	// missingSeries and missingNamespaces are the minimum numbers of series and of namespaces that
	// must lose their Events within two refresh intervals before the lifetime is estimated.
	// Somebody who deletes Events usually does so in one namespace only.
	missingSeries     = 3
	missingNamespaces = 2
	// maxMissing is the maximum length of lifetime.missing.
	maxMissing = 64
	// testers is the number of groups of series that test the estimate in turn. The turn of a group
	// takes timing.LifetimeTestEvery.
	testers = 8
)

func newLifetime() *lifetime {
	l := &lifetime{}
	l.estimate.Store(math.MaxInt64)
	return l
}

// refresh returns how long after its last write a series is written again: the given interval or,
// if that is shorter, half of the estimated lifetime, so that the write renews the Event before it
// expires. arrival is the arrival number of the series.
func (l *lifetime) refresh(interval time.Duration, arrival int64, storedAt monotime) time.Duration {
	estimate := l.estimate.Load()
	if estimate == math.MaxInt64 || l.isTester(arrival, storedAt) {
		return interval
	}
	return min(interval, time.Duration(estimate/2))
}

// isTester reports whether it is the turn of the given series to test the estimate.
func (l *lifetime) isTester(arrival int64, storedAt monotime) bool {
	return (arrival+int64(storedAt)/int64(timing.LifetimeTestEvery))%testers == 0
}

// lived updates the estimate after a successful Patch, which shows that an Event has lived for age.
// If age is longer than the estimate, the estimate is discarded, because it was made from Events
// that were deleted before they expired. An eighth of age is subtracted first, because Events do
// not expire to the second: etcd expires Events of about the same time together, so some live 5 %
// longer.
func (l *lifetime) lived(age time.Duration) {
	if int64(age-age/8) <= l.estimate.Load() {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.estimate.Store(math.MaxInt64)
	l.missing = nil
}

// missed updates the estimate after a Patch whose Event the server no longer has.
func (l *lifetime) missed(d disappearance, refresh time.Duration) {
	if d.age() < timing.LeastLifetime {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if d.storedAt < l.jumped {
		return // the age is unknown, because the monotonic clock stops while a machine is suspended
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

// watchClock checks, at each answer, whether the wall clock was set or the machine suspended. If
// so, it records the time in jumped.
func (l *lifetime) watchClock(now, epoch time.Time) {
	ahead := now.Round(0).Sub(epoch.Round(0)) - now.Sub(epoch) // without and with the monotonic clock
	l.mu.Lock()
	defer l.mu.Unlock()
	if (ahead - l.ahead).Abs() > timing.ClockJump {
		l.jumped = monotimeOf(now, epoch)
	}
	l.ahead = ahead
}
