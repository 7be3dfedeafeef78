// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"time"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

// Settle implements [Item].
func (s *Series) Settle(
	w *Write, v request.Verdict, stored *eventsv1.Event, now time.Time,
) (next request.Class, effects Effects) {
	sh := s.account.Owner
	sh.mu.Lock()
	defer sh.mu.Unlock()
	s.end(w)
	if s.Gone() { // Abandon has dropped it meanwhile
		return request.NoWrite, effects
	}
	effects.Dropped = sh.settle(s, w, v, stored, now)
	s.finishFlushes() // a Flush that is finished forces nothing
	next = sh.queueIfDue(s, sh.moment(now))
	sh.reindex(s, sh.moment(now))
	return next, effects
}

// end records that w was answered, of which only a frozen one is kept, or that the writer
// has given s back.
func (s *Series) end(w *Write) {
	if w == nil {
		s.queued = false
		return
	}
	if s.inFlight = false; !w.frozen {
		s.write = nil
	}
}

// settle changes the state of s by the answer to w.
func (sh *shard) settle(s *Series, w *Write, v request.Verdict, stored *eventsv1.Event, now time.Time) []Dropped {
	at := sh.moment(now)
	switch {
	case v.Action == request.Stored:
		if w.Op == request.Create {
			s.account.Creates++
		} else {
			s.account.Patches++
		}
		if w.ReadVersion {
			s.look(stored, now)
			return nil
		}
		s.account.Recorded += s.ack(w, v, versionOf(stored), at)
		s.waitsFrom = uint32(now.Unix()) // what is unwritten came while w was under way
		if c := s.rare().continuity; c != nil {
			c.names.remember(s, w.Event.ReportingInstance)
		}
		return nil
	case v.Action == request.Drop, v.Action == request.Forbidden && s.deny(v, at):
		s.refuse(v.Reason, at)
		return sh.drop(s, v.Reason)
	}
	s.account.Retries++
	switch {
	case v.Action == request.Recreate:
		s.expire()
	case v.Action == request.Resend && w.Op == request.Create:
		s.meet()
	case v.Action == request.Resend:
		s.conflict(at)
	default:
		s.fail(w, v.Ambiguous)
		// What fails twice in a row may be what is wrong, and not its namespace.
		if v.Hold || v.Gate == request.Namespace && s.attempts > 1 {
			s.hold(at)
		}
	}
	return nil
}

// ack records that the server has stored w, and returns how many occurrences that
// adds to the recorded ones.
func (s *Series) ack(w *Write, v request.Verdict, version string, now moment) (recorded int64) {
	s.exists, s.write, s.attempts, s.unpublished = true, nil, 0, 0
	s.setResourceVersion(version)
	if s.doubts = 0; v.Exists {
		s.doubts = versionUnknown
	}
	s.lastWrite, s.refusals, s.holds = now, 0, 0
	x := s.rare()
	for k, value := range w.annotations { // but for those that changed again meanwhile
		if x.changed[k] == value {
			delete(x.changed, k)
		}
	}
	if x.maxUnconfirmed > 0 || x.denials > 0 {
		x.maxUnconfirmed, x.denials = 0, 0 // it is no later than w, since counts only grow
	}
	recorded = max(w.Count-s.recorded, 0)
	s.recorded += recorded
	return recorded
}

// ackVersion records the resourceVersion that an empty patch has read.
func (s *Series) ackVersion(version string) {
	s.doubts &^= versionUnknown
	s.setResourceVersion(version)
}

// fail records that w was not acknowledged. A Create that may have been applied is
// repeated as it is, so that both a 2xx and a 409 mean "this count is stored".
func (s *Series) fail(w *Write, ambiguous bool) {
	if !ambiguous {
		return
	}
	s.more().maxUnconfirmed = max(s.rare().maxUnconfirmed, w.Count) // reading the version confirms no earlier patch
	if w.Op == request.Create {
		w.frozen, s.write = true, w
	}
}

// expire records that the server no longer has the Event. It is created again with
// the full count.
func (s *Series) expire() {
	s.exists = false
	if c := s.rare().continuity; c != nil {
		c.others = nil // they have expired, too; who still records writes its share again
		c.names.forget(c)
		if c.former() {
			s.beginShare()
		}
	}
}

// conflict records that somebody else has written the Event, or an earlier attempt
// that arrived late. A patch without a resourceVersion would succeed at once, but
// might itself arrive late and lower the count. After a second conflict in a row the
// series waits, and no other: replicas that count in one Event are in each other's way.
func (s *Series) conflict(now moment) {
	if s.doubts&conflicted != 0 {
		s.hold(now)
	}
	s.doubts = versionUnknown | conflicted
}

// drop drops everything unwritten of s.
func (sh *shard) drop(s *Series, reason stats.Reason) []Dropped {
	n, unconfirmed := s.dropUnwritten()
	s.account.Dropped[reason] += n
	s.account.Unconfirmed += unconfirmed
	s.finishFlushes()
	if n == 0 {
		return nil
	}
	return []Dropped{{Item: s, Reason: reason, Occurrences: n, Unconfirmed: unconfirmed}}
}

// dropUnwritten drops everything unwritten. It returns how much that is, and how
// much of it the server may have all the same. Annotations stay for the next try.
func (s *Series) dropUnwritten() (dropped, unconfirmed int64) {
	dropped = s.unwritten()
	sent := s.rare().maxUnconfirmed
	if s.write != nil {
		sent = max(sent, s.write.Count)
	}
	unconfirmed = min(max(sent-s.recorded, 0), dropped)
	if s.write = nil; dropped > 0 {
		s.more().dropped += dropped
	}
	return dropped, unconfirmed
}
