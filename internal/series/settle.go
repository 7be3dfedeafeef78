// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

// Given is what was given up of one series.
type Given struct {
	Reason            stats.Reason
	Occurrences       int64
	Type, EventReason string
	Regarding         corev1.ObjectReference
}

func newGiven(s *Series, reason stats.Reason, n int64) Given {
	k, h := s.Key(), s.Head()
	return Given{
		Reason: reason, Occurrences: n, Type: k.Type, EventReason: k.Reason,
		Regarding: k.Regarding.reference(h.RegardingVersion, h.RegardingResourceVersion),
	}
}

// Settle books the answer to w and returns what the series needs next (zero:
// nothing now), and what was given up with it, if anything.
func (c *Cache) Settle(
	s *Series, w *Write, v request.Verdict, version string, now time.Time,
) (next request.Op, given []Given) {
	sh := s.shard
	sh.mu.Lock()
	s.inflight, s.sending = false, 0
	if s.Gone() { // Drain has given it up meanwhile
		sh.mu.Unlock()
		return 0, nil
	}
	given = sh.settle(s, w, v, version, now)
	sh.settleMarks(s) // a flush that has its answer forces nothing more
	next = sh.queueIfDue(s, now, &c.iv)
	wake := sh.reshelve(s, &c.iv)
	sh.mu.Unlock()
	c.wakeTimer(wake, now)
	return next, given
}

func (sh *shard) settle(s *Series, w *Write, v request.Verdict, version string, now time.Time) []Given {
	switch v.Action {
	case request.Stored:
		if w.Op == request.Create {
			sh.counters.Creates++
		} else {
			sh.counters.Patches++
		}
		if w.ReadVersion {
			s.looked(version)
			return nil
		}
		sh.counters.Recorded += s.ack(w, version, now)
		s.unseen = v.Exists
	case request.Recreate:
		sh.counters.Retries++
		s.expire()
	case request.Resend:
		sh.counters.Retries++
		s.conflict()
	case request.Drop:
		return sh.bury(s, v.Reason, now)
	default:
		sh.counters.Retries++
		s.fail(w, v.Ambiguous)
		if v.Hold {
			s.hold(now)
		}
	}
	return nil
}

// bury drops what is unwritten and leaves a tombstone, which counts later
// occurrences under the same reason without a write: a hot loop with an
// inadmissible event is a few requests an hour, not one per occurrence. From time
// to time it lets one through, since the cause of a refusal may end: a webhook that
// was not ready, a namespace that is made again.
func (sh *shard) bury(s *Series, reason stats.Reason, now time.Time) []Given {
	s.refuse(reason, now)
	n := sh.drop(s, reason)
	if n == 0 {
		return nil
	}
	return []Given{newGiven(s, reason, n)}
}

// RefuseQueued buries a series that waits for its Create because of an answer to
// another one in its namespace.
func (c *Cache) RefuseQueued(s *Series, reason stats.Reason, now time.Time) []Given {
	sh := s.shard
	sh.mu.Lock()
	s.queued = false
	if s.Gone() {
		sh.mu.Unlock()
		return nil
	}
	given := sh.bury(s, reason, now)
	wake := sh.reshelve(s, &c.iv)
	sh.mu.Unlock()
	c.wakeTimer(wake, now)
	return given
}
