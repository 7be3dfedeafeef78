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

// end records that w, the write in flight, was answered. Only a frozen write is kept, because it must
// be repeated unchanged until the series knows that it is stored.
func (s *Series) end(w *Write) {
	s.inFlight = false
	if !w.frozen {
		s.write = nil
	}
}

// settle changes the series by the answer v to w. stored is the Event of the answer, or nil. The
// parameters now and at are the same time, by the clock on the wall and by the monotonic one. settle
// returns how many occurrences are recorded now that were not before. It reports whether the series is
// refused, and then the caller must drop the unwritten occurrences.
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

// ack records that the server has stored w, and returns how many occurrences that adds to the
// recorded ones.
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
		if x.changed[key] == value { // else it has changed again meanwhile
			delete(x.changed, key)
		}
	}
	if s.extra != nil {
		x.maxUnconfirmed = 0 // of the writes without an answer w was the last, with the highest count
		x.denials = 0
	}
	recorded = max(w.Count-s.recorded, 0)
	s.recorded += recorded
	return recorded
}

// ackVersion records the resourceVersion that an empty patch has read.
func (s *Series) ackVersion(version string) {
	s.versionState &^= versionUnknown
	s.setResourceVersion(version)
}

// fail records that w was not acknowledged. A Create that may have been applied is repeated
// unchanged, so that both a 2xx and a 409 mean that its count is stored. If it is not the first write
// since the last acknowledged one, the series pauses, because its Event may be at fault and not its
// namespace.
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

// holdFor returns how long the pause is. Replicas that met in a conflict must not come back together,
// so their pauses differ by the reporting instance, which is a part of the key, and by the time.
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

// missed records that the server has no Event for a Patch. If a Create has just found that Event, the
// answers contradict each other, or others create and delete it all the time. Then the series pauses,
// because each of the two answers asks for the other request at once.
func (s *Series) missed(now monotime) {
	if s.versionState&unseen != 0 {
		s.versionState = conflicted
		s.hold(now)
	}
	s.lostEvent()
}

// lostEvent records that the Event is not on the server, under the name that it has now. It is created
// with the full count.
func (s *Series) lostEvent() {
	s.exists = false
	if c := s.extras().shared; c != nil {
		c.others = nil // they have expired, too; a process that still records writes its share again
		if c.inheritsShare() {
			s.beginShare()
		}
	}
}

// conflict records that somebody else has written the Event, or that an earlier attempt has arrived
// late. A patch without a resourceVersion would succeed at once, but might itself arrive late and
// lower the count. After a second conflict in a row this series pauses, because replicas that count in
// one Event are in each other's way. Its namespace goes on.
func (s *Series) conflict(now monotime) {
	if s.versionState&conflicted != 0 {
		s.hold(now)
	}
	s.versionState = versionUnknown | conflicted
}

// refuse records that the server does not accept the Event. Later occurrences are dropped for the
// same reason without a write, so that a hot loop with an Event that is never accepted costs a few
// requests an hour and not one for each occurrence. Now and then an occurrence is tried, because the
// cause may end: a webhook that was not ready, a namespace that is created again.
func (s *Series) refuse(reason stats.Reason, now monotime) {
	s.refusedFor = reason
	s.refusals = saturatingInc(s.refusals)
	s.holds = 0
	s.mutableExtras().pausedAt = now
}

// maxDenials is the number of denials after which a series is given up, if they have come for
// timing.DenialTime at least. It takes both, because a webhook that starts ("not yet ready to handle
// request") denies many times in a few seconds, and a few denials may be hours apart.
const maxDenials = 3

// deny counts a denial, which is a 403 for this series alone, and reports whether the series is given
// up for it. The count is kept until the series is stored or its whole namespace is refused, so that
// one more denial is enough when the series is tried again.
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

// dropUnwritten drops the unwritten occurrences. It returns how many they are, and how many of them the
// server may have nevertheless. Annotations stay for the next try.
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

// inherit takes over the refusals of the former series in whose place this one comes, so that its
// pauses go on growing, unless the former series has finished.
func (s *Series) inherit(former *Series, now monotime, iv *Intervals) {
	if !former.finished(now, iv) {
		s.refusals = former.refusals
	}
}
