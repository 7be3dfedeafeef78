// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"hash/fnv"
	"io"
	"math"
	"time"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/timing"
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

// end records that w, the write in flight, was answered. A frozen write is kept, because it must be
// repeated as it is.
func (s *Series) end(w *Write) {
	s.inFlight = false
	if !w.frozen {
		s.write = nil
	}
}

// settle changes the state of s by the answer to w.
func (sh *shard) settle(s *Series, w *Write, v request.Verdict, stored *eventsv1.Event, now time.Time) []Dropped {
	at := sh.moment(now)
	learned := sh.of.iv.lifetime
	learned.passed(now, sh.of.epoch)
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
		if w.Op == request.Patch {
			learned.lived(s, at)
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
		learned.gone(s, at, sh.of.iv.Refresh)
		s.missed(at)
	case v.Action == request.Resend && w.Op == request.Create:
		s.meet()
		s.doubts |= unseen
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
	s.exists = true
	s.write = nil
	s.attempts = 0
	s.unpublished = 0
	s.setResourceVersion(version)
	s.doubts = 0
	if v.Exists {
		s.doubts = versionUnknown
	}
	s.lastWrite = now
	s.refusals = 0
	s.holds = 0
	x := s.rare()
	for k, value := range w.annotations { // but for those that changed again meanwhile
		if x.changed[k] == value {
			delete(x.changed, k)
		}
	}
	if x.maxUnconfirmed > 0 || x.denials > 0 {
		x.maxUnconfirmed = 0
		x.denials = 0 // it is no later than w, since counts only grow
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
		w.frozen = true
		s.write = w
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

// missed records that the server has no Event for a Patch. Just after it had one for a Create,
// one of the two answers is wrong, or others create and delete the Event all the time. The
// series waits before it asks again, because both answers want the other request at once.
func (s *Series) missed(now moment) {
	if s.doubts&unseen != 0 {
		s.doubts = conflicted
		s.hold(now)
	}
	s.expire()
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
	if s.unwritten() == 0 {
		return nil
	}
	n, unconfirmed := s.dropUnwritten()
	s.account.Dropped[reason] += n
	s.account.Unconfirmed += unconfirmed
	s.finishFlushes()
	return []Dropped{{
		Item:        s,
		Reason:      reason,
		Occurrences: n,
		Unconfirmed: unconfirmed,
	}}
}

// dropUnwritten drops everything unwritten. It returns how much that is, and how
// much of it the server may have nevertheless. Annotations stay for the next try.
func (s *Series) dropUnwritten() (dropped, unconfirmed int64) {
	dropped = s.unwritten()
	sent := s.rare().maxUnconfirmed
	if s.write != nil {
		sent = max(sent, s.write.Count)
	}
	unconfirmed = min(max(sent-s.recorded, 0), dropped)
	s.write = nil
	s.more().dropped += dropped
	return dropped, unconfirmed
}

// holdFor is how long a held write waits. Those of replicas that met in a conflict must
// not come back together.
func (s *Series) holdFor() time.Duration {
	if s.doubts&conflicted == 0 {
		return timing.HoldBackoff.After(int(s.holds))
	}
	h := fnv.New64a()
	_, _ = io.WriteString(h, s.key()) // has the reporting instance
	wait := timing.ConflictBackoff.After(int(s.holds))
	return wait/2 + time.Duration((h.Sum64()+uint64(s.lastWrite))*fibonacci>>48)*wait>>16
}

func oneMore(n uint8) uint8 { return min(n, math.MaxUint8-1) + 1 }

// refuse records that the server does not accept the Event. Later occurrences are dropped for
// the same reason without a write: a hot loop with an event that is never accepted costs a
// few requests an hour, not one per occurrence. Now and then an occurrence is tried, since
// the cause of a refusal may end: a webhook that was not ready, a namespace that is created
// again.
func (s *Series) refuse(reason stats.Reason, now moment) {
	s.refusedFor = reason
	s.refusals = oneMore(s.refusals)
	s.holds = 0
	s.lastWrite = now
}

// maxDenials is after how many refusals in a row a series is given up, if they last for
// timing.DenialTime at least. It takes both, because a webhook that starts ("not yet ready to
// handle request") refuses many times in a few seconds, and a few refusals may be hours apart.
const maxDenials = 3

// deny counts a refusal of this series alone, and reports whether it is the last word.
// The count is kept until the series is stored, so that one more refusal is enough when
// it is tried again. A refusal of the whole namespace ends the row.
func (s *Series) deny(v request.Verdict, now moment) bool {
	if v.Reason == stats.None {
		if x := s.rare(); x.denials > 0 {
			x.denials = 0
		}
		return false
	}
	x := s.more()
	if x.denials == 0 {
		x.deniedSince = now
	}
	x.denials = oneMore(x.denials)
	return x.denials >= maxDenials && now.Sub(x.deniedSince) >= timing.DenialTime
}

// hold records that the server does not accept this write for now.
func (s *Series) hold(now moment) {
	s.holds = oneMore(s.holds)
	s.lastWrite = now
}

// mayRetry reports whether an occurrence at now is tried although the series was
// refused.
func (s *Series) mayRetry(now moment, iv *Intervals) bool {
	return s.refusedFor != stats.None && now.Sub(s.lastWrite) >= s.retryAfter(iv)
}

// retryAfter is how long a refused series drops occurrences.
func (s *Series) retryAfter(iv *Intervals) time.Duration {
	return min(timing.RefusalBackoff.After(int(s.refusals)), iv.Refresh)
}

// superseded reports whether the next try needs another Event. Of this one the
// server may have more than is recorded, and a count must never decrease.
func (s *Series) superseded(now moment, iv *Intervals) bool {
	return s.rare().maxUnconfirmed > s.recorded && s.mayRetry(now, iv)
}

// retry lets occurrences through to the writer again, until that has its answer.
func (s *Series) retry(now time.Time) {
	s.refusedFor = stats.None
	if s.recorded == 0 { // it is the first one that the server will know of
		s.began = now.UnixMicro()
	}
}

// inherit takes over the back-off of a superseded series of the same key.
func (s *Series) inherit(old *Series, now moment, iv *Intervals) {
	if !old.finished(now, iv) {
		s.refusals = old.refusals
	}
}
