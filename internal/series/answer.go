// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"encoding/binary"
	"hash/fnv"
	"time"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/timing"
)

// end records that w, the write in flight, was answered. A frozen write is kept, because it must be
// repeated unchanged until it is known to be stored.
func (s *Series) end(w *Write) {
	s.inFlight = false
	if !w.frozen {
		s.write = nil
	}
}

// settle updates the series with v, the verdict on the answer to w. stored is the Event in the
// answer, or nil. The parameters now and at are the same instant, on the wall clock and on the
// monotonic clock.
//
// settle returns how many more occurrences are recorded now, and whether the series is refused. If
// it is, the caller must drop the unwritten occurrences.
func (s *Series) settle(
	w *Write, v request.Verdict, stored *eventsv1.Event, now time.Time, at monotime,
) (recorded int64, refused bool) {
	switch {
	case v.Action == request.Stored && w.ReadVersion:
		s.reconcile(stored, now)
	case v.Action == request.Stored:
		recorded = s.ack(w, v, versionOf(stored), at)
		s.pendingSince = uint32(now.Unix()) // anything unwritten came while w was in flight
	case v.Action == request.Drop:
		s.refuse(v.Reason, at)
		refused = true
	case v.Action == request.Forbidden:
		refused = s.deny(v, at)
		if refused {
			s.refuse(v.Reason, at)
		} else {
			s.fail(w, v, at)
		}
	case v.Action == request.Recreate:
		s.missed(at)
	case v.Action == request.Resend && w.Op == request.Create:
		s.markExists()
		s.versionState |= unseen
	case v.Action == request.Resend:
		s.conflict(at)
	default:
		s.fail(w, v, at)
	}
	return recorded, refused
}

// ack records that the server has stored w. It returns how many more occurrences are recorded now.
func (s *Series) ack(w *Write, v request.Verdict, version string, now monotime) (recorded int64) {
	s.exists = true
	s.write = nil
	s.attempts = 0
	s.unpublished = 0
	s.setResourceVersion(version)
	s.versionState = 0
	if v.Exists {
		s.versionState = versionUnknown
	}
	s.storedAt = now
	s.refusals = 0
	s.holds = 0
	x := s.extras()
	for key, value := range w.annotations {
		if x.changed[key] == value { // otherwise it has changed again
			delete(x.changed, key)
		}
	}
	if s.extra != nil {
		x.maxUnconfirmed = 0 // w was the newest unconfirmed write and had the highest count
		x.denials = 0
	}
	recorded = max(w.Count-s.recorded, 0)
	s.recorded += recorded
	return recorded
}

// ackVersion records the resourceVersion from the answer to an empty patch.
func (s *Series) ackVersion(version string) {
	s.versionState &^= versionUnknown
	s.setResourceVersion(version)
}

// fail records that w was not acknowledged. If w is a Create that the server might have applied,
// fail keeps it, so that it is repeated unchanged. Both a 2xx and a 409 to the repeated Create mean
// that its count is stored.
//
// The series pauses if v.Hold is true. It also pauses if the fault is in the namespace according to
// v, but w is not the first attempt since the last acknowledged write, because the Event itself may
// be at fault.
func (s *Series) fail(w *Write, v request.Verdict, now monotime) {
	if v.Ambiguous {
		x := s.mutableExtras()
		x.maxUnconfirmed = max(x.maxUnconfirmed, w.Count) // an empty patch, which reads, has a lower count
		if w.Op == request.Create {
			w.frozen = true
			s.write = w
		}
	}
	if v.Hold || v.Gate == request.Namespace && s.attempts > 1 {
		s.hold(now)
	}
}

// hold begins a pause before the next write of the series.
func (s *Series) hold(now monotime) {
	s.holds = saturatingInc(s.holds)
	s.mutableExtras().pausedAt = now
}

// holdFor returns the length of the current pause. Replicas that met in a conflict must not meet
// again after it. So the pause after a conflict depends on the reporting instance, which is part of
// the key, and on the time.
func (s *Series) holdFor() time.Duration {
	if s.versionState&conflicted == 0 {
		return timing.HoldBackoff.After(int(s.holds))
	}
	h := fnv.New64a()
	_, _ = h.Write(binary.LittleEndian.AppendUint64([]byte(s.key()), uint64(s.extras().pausedAt)))
	random := time.Duration(h.Sum64() * fibonacci >> 48) // 16 bits
	pause := timing.ConflictBackoff.After(int(s.holds))
	return pause/2 + random*pause>>16
}

// missed records that the server did not find the Event of a Patch. If a Create has just found that
// the Event exists, the answers contradict each other, or other clients keep creating and deleting
// the Event. The series then pauses, because otherwise it would send a Create and a Patch in turn
// without a wait.
func (s *Series) missed(now monotime) {
	if s.versionState&unseen != 0 {
		s.versionState = conflicted
		s.hold(now)
	}
	s.lostEvent()
}

// lostEvent records that the server does not store an Event with the series' current name. The next
// write creates it with the full count.
func (s *Series) lostEvent() {
	s.exists = false
	if c := s.extras().shared; c != nil {
		c.others = nil // they have expired, too; a process that still records writes its share again
		if c.inheritsShare() {
			s.beginShare()
		}
	}
}

// conflict records that the Event was changed, by somebody else or by a delayed earlier attempt.
// The next Patch must contain the new resourceVersion. A Patch without a resourceVersion would
// succeed at once, but if it were delayed, it could lower the count.
//
// After a second conflict in a row the series pauses, because replicas that count in one Event get
// in each other's way. The other series in its namespace do not pause.
func (s *Series) conflict(now monotime) {
	if s.versionState&conflicted != 0 {
		s.hold(now)
	}
	s.versionState = versionUnknown | conflicted
}

// refuse records that the server does not accept the Event, so that the series is refused. Later
// occurrences of a refused series are dropped with the same reason and without a write. So a hot
// loop with an Event that is never accepted costs only a few requests per hour, rather than one for
// each occurrence. From time to time an occurrence is written all the same, because the cause of
// the refusal may have ended: a webhook has become ready, or a namespace was created again.
func (s *Series) refuse(reason stats.Reason, now monotime) {
	s.refusedFor = reason
	s.refusals = saturatingInc(s.refusals)
	s.holds = 0
	s.mutableExtras().pausedAt = now
}

// maxDenials is the number of denials after which a series is refused, provided that at least
// timing.DenialTime has passed since the first denial. A denial is a 403 for one series alone. The
// number alone is not enough, because a webhook that is starting ("not yet ready to handle
// request") denies many times within seconds. The time alone is not enough, because denials may be
// hours apart.
const maxDenials = 3

// deny counts a denial, which is a 403 for this series alone. It reports whether the series is now
// refused. The count is reset only when the series is stored or its whole namespace is refused, so
// that one denial is enough to refuse a series again that was refused before.
func (s *Series) deny(v request.Verdict, now monotime) bool {
	if v.Reason == stats.None {
		if s.extras().denials > 0 {
			s.mutableExtras().denials = 0
		}
		return false
	}
	x := s.mutableExtras()
	if x.denials == 0 {
		x.deniedSince = now
	}
	x.denials = saturatingInc(x.denials)
	return x.denials >= maxDenials && now.Sub(x.deniedSince) >= timing.DenialTime
}

// dropUnwritten drops the unwritten occurrences. It returns their number, and how many of them the
// server might have stored all the same. Changed annotations are kept for the next write.
func (s *Series) dropUnwritten() (dropped, unconfirmed int64) {
	dropped = s.unwritten()
	sent := s.extras().maxUnconfirmed
	if s.write != nil {
		sent = max(sent, s.write.Count)
	}
	unconfirmed = min(max(sent-s.recorded, 0), dropped)
	s.write = nil
	s.mutableExtras().dropped += dropped
	return dropped, unconfirmed
}

// inherit takes over the number of refusals from former, the earlier series with the same key, so
// that the pauses after refusals keep growing. It does nothing if former had finished.
func (s *Series) inherit(former *Series, now monotime, iv *Intervals) {
	if !former.finished(now, iv) {
		s.refusals = former.refusals
	}
}
