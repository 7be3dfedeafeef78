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

// lifetime is what is known of how long the server keeps Events. It is safe for concurrent
// use.
//
// An Event that is gone may have expired, or somebody has deleted it. So nothing is learned
// before enough series in enough namespaces have missed their Events in a short time. What
// is learned is tested again: now and then a series waits as if nothing were known
// ([Series.tests]), and if its Event is still there, the estimate is forgotten.
type lifetime struct {
	estimate atomic.Int64 // a time.Duration; the longest one if nothing is known

	mu      sync.Mutex
	missing []disappearance // since the last estimate, the oldest first
	ahead   time.Duration   // of the time that the clock shows before the monotonic one
	jumped  moment          // when that last changed
}

// disappearance is an Event that the server had and has no more.
type disappearance struct {
	series    int64 // its arrival
	namespace string
	age       time.Duration // since its last write
	at        moment
}

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

// refresh is how long after the last write of s anything unwritten is written: Refresh, or half
// the lifetime of Events if that is shorter, because each write renews it.
func (iv *Intervals) refresh(s *Series) time.Duration {
	estimate := iv.lifetime.estimate.Load()
	if estimate == math.MaxInt64 || s.tests() {
		return iv.Refresh
	}
	return min(iv.Refresh, time.Duration(estimate/2))
}

// tests reports whether s finds out if the estimate is still true.
func (s *Series) tests() bool {
	return (s.arrival+int64(s.lastWrite)/int64(timing.LifetimeTestEvery))%testers == 0
}

// lived learns from a Patch that was stored. An Event that is older than the estimate says that
// the others were deleted. Some live for 5 % longer than others, since etcd keeps those of
// about the same time together.
func (l *lifetime) lived(s *Series, now moment) {
	if !s.wasStored() {
		return
	}
	age := now.Sub(s.lastWrite)
	if int64(age-age/8) > l.estimate.Load() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.estimate.Store(math.MaxInt64)
		l.missing = nil
	}
}

// gone learns from a Patch of an Event that the server has no more. That lived no longer
// than since its last write.
func (l *lifetime) gone(s *Series, now moment, refresh time.Duration) {
	age := now.Sub(s.lastWrite)
	if !s.wasStored() || age < timing.LeastLifetime {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.lastWrite < l.jumped {
		return // the age is not known: no monotonic clock runs while a machine is suspended
	}
	l.missing = slices.DeleteFunc(l.missing, func(d disappearance) bool {
		return d.series == s.arrival || now.Sub(d.at) > 2*refresh
	})
	if len(l.missing) == maxMissing {
		l.missing = slices.Delete(l.missing, 0, 1)
	}
	l.missing = append(l.missing, disappearance{s.arrival, s.Namespace(), age, now})
	oldest, namespaces := time.Duration(0), map[string]bool{}
	for _, d := range l.missing {
		oldest = max(oldest, d.age)
		namespaces[d.namespace] = true
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
		l.jumped = momentOf(now, epoch)
	}
	l.ahead = ahead
}

// wasStored reports whether lastWrite is that of a write that was stored.
func (s *Series) wasStored() bool {
	return s.recorded > 0 && s.holds == 0 && s.refusals == 0 && s.doubts&unseen == 0
}
