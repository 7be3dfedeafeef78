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
// again: now and then a series waits as if there were none ([lifetime.tests]), and if its Event is
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
	series    int64 // its arrival
	namespace string
	lastWrite monotime
	at        monotime
}

// age returns the time from the last write to the disappearance, at which the Event had lived no longer.
func (d disappearance) age() time.Duration { return d.at.Sub(d.lastWrite) }

const (
	// So many series in so many namespaces have to miss their Events within two refresh
	// intervals. Somebody who cleans up a namespace does not do that to others.
	missingSeries, missingNamespaces = 3, 2
	// maxMissing bounds the memory.
	maxMissing = 64
	// Of so many series one tests the estimate, and another one after timing.LifetimeTestEvery.
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
func (l *lifetime) refresh(interval time.Duration, arrival int64, lastWrite monotime) time.Duration {
	estimate := l.estimate.Load()
	if estimate == math.MaxInt64 || l.tests(arrival, lastWrite) {
		return interval
	}
	return min(interval, time.Duration(estimate/2))
}

// tests reports whether a series tests if the estimate is still true.
func (l *lifetime) tests(arrival int64, lastWrite monotime) bool {
	return (arrival+int64(lastWrite)/int64(timing.LifetimeTestEvery))%testers == 0
}

// lived learns from a Patch that was stored: an Event has lived for age. If that is longer than the
// estimate, the others were deleted. Some live for 5 % longer than others, since etcd keeps Events of
// about the same time together.
func (l *lifetime) lived(age time.Duration) {
	if int64(age-age/8) <= l.estimate.Load() {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.estimate.Store(math.MaxInt64)
	l.missing = nil
}

// gone learns from a Patch of an Event that the server has no more.
func (l *lifetime) gone(d disappearance, refresh time.Duration) {
	if d.age() < timing.LeastLifetime {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if d.lastWrite < l.jumped {
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

// passed finds out at each answer whether the clock was set or has stood still.
func (l *lifetime) passed(now, epoch time.Time) {
	ahead := now.Round(0).Sub(epoch.Round(0)) - now.Sub(epoch) // without and with the monotonic clock
	l.mu.Lock()
	defer l.mu.Unlock()
	if (ahead - l.ahead).Abs() > timing.ClockJump {
		l.jumped = monotimeOf(now, epoch)
	}
	l.ahead = ahead
}
