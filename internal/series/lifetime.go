// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"math"
	"time"

	"github.com/eventseries/eventseries/internal/request"
)

// refresh is how long after the last write anything unwritten is written: Refresh, or half
// the lifetime of Events if that is shorter, because each write renews it.
func (iv *Intervals) refresh() time.Duration {
	return min(iv.Refresh, time.Duration(iv.lifetime.Load()/2))
}

// leastLifetime is less than any server is configured to keep Events for. What lived for
// less was deleted.
const leastLifetime = 2 * time.Minute

// learnLifetime learns how long the server keeps Events from a write that was stored. If the
// Event is created again, it had lived no longer than since its last write. If it is patched
// after more than the shortest lifetime, that was a deletion, and is forgotten. An Event may
// live for 5 % longer than others, since etcd keeps Events of about the same time together.
func (iv *Intervals) learnLifetime(s *Series, w *Write, now moment) {
	age, lifetime := now.Sub(s.lastWrite), time.Duration(iv.lifetime.Load())
	switch {
	case s.recorded == 0, s.holds > 0, s.refusals > 0: // lastWrite is not that of a stored write
	case age < leastLifetime:
	case w.Op == request.Create && age < lifetime:
		iv.lifetime.Store(int64(age))
	case w.Op == request.Patch && age-age/8 > lifetime:
		iv.lifetime.Store(math.MaxInt64)
	}
}
