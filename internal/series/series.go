// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"time"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

// Series is the state machine of one series of isomorphic occurrences. It has
// no goroutine, lock, clock or client: time and answers go in, the next write
// and the next deadline come out. Its shard's lock guards it.
//
//	          Observe              Next              Ack
//	memory ───────────▶ unwritten ──────▶ in flight ─────▶ recorded
//	                        ▲  ▲              │ Fail, Expire, Conflict
//	                        │  └──────────────┘          Bury ──▶ tombstone
//	                        └──────── Observe, from time to time ────┘
type Series struct {
	text       string // the key and what the first occurrence left for the wire, packed
	idLen      int32  // of text, the key
	baseLen    int32  // of text, the key without its note
	eventTime  time.Time
	hasRelated bool
	normal     bool // of type Normal

	exists     bool         // a Create was acknowledged and the object is not known to be gone
	unseen     bool         // it was written behind our back: look at it before the next Patch
	conflicted bool         // the last Patch was refused for that
	tombstone  stats.Reason // the verdict that ended it, until an occurrence is tried again
	refusals   uint8        // how many in a row
	holds      uint8        // how many in a row, since the last answer of another kind that says something

	observed int64 // occurrences
	dropped  int64 // of them, never to be written
	recorded int64 // the count of the last acknowledged write; never lowered
	sent     int64 // the count in the last write whose fate is unknown, until one is acknowledged
	sending  int64 // the count in the write under way
	last     time.Time
	tried    time.Time // when the last write was acknowledged, refused or held

	annotations map[string]string // as they should be on the server
	changed     map[string]string // of them, not acknowledged yet

	resourceVersion string // of the last acknowledged answer; empty if the sink tells none
	frozen          *Write // a Create that may have been applied: only its identical repeat is safe

	shelf // the cache's own notes on the series
}

// Head is what the first occurrence leaves behind for the wire: together with
// the key, enough to write the Event anew when it expired. It is never changed, but
// for the time of an Event of which nothing is recorded.
type Head struct {
	Namespace, Name                            string // of the Event
	Note                                       string
	EventTime                                  time.Time
	RegardingVersion, RegardingResourceVersion string
	RelatedVersion, RelatedResourceVersion     string
	HasRelated                                 bool
}

// newSeries returns a series without an occurrence. It retains no memory of the
// caller.
func newSeries(id packedKey, head *Head) *Series {
	text := pack(pack(pack(id.text, head.Namespace), head.Name), head.Note)
	text = pack(pack(text, head.RegardingVersion), head.RegardingResourceVersion)
	text = pack(pack(text, head.RelatedVersion), head.RelatedResourceVersion)
	return &Series{
		text: string(text), idLen: int32(len(id.text)), baseLen: int32(id.base),
		eventTime: head.EventTime, hasRelated: head.HasRelated,
	}
}

// id is what the cache knows the series by.
func (s *Series) id() string { return s.text[:s.idLen] }

// base is the id without the note.
func (s *Series) base() string { return s.text[:s.baseLen] }

// Key is what its occurrences have in common. It never changes and needs no lock.
func (s *Series) Key() Key { return (&unpacker{s.text}).key() }

// Head is what its first occurrence left behind.
func (s *Series) Head() Head {
	u := unpacker{s.text[s.idLen:]}
	return Head{
		Namespace: u.text(), Name: u.text(), Note: u.text(),
		RegardingVersion: u.text(), RegardingResourceVersion: u.text(),
		RelatedVersion: u.text(), RelatedResourceVersion: u.text(),
		EventTime: s.eventTime, HasRelated: s.hasRelated,
	}
}

// LatestNote is the annotation in which the newest note travels when the first
// one is all that events.k8s.io/v1 lets a series keep.
const LatestNote = "eventseries.dev/latest-note"

// Namespace is where the Event is. It never changes and needs no lock.
func (s *Series) Namespace() string { return (&unpacker{s.text[s.idLen:]}).text() }

// count is what the server should say.
func (s *Series) count() int64 { return s.observed - s.dropped }

// unwritten is what the server does not say yet.
func (s *Series) unwritten() int64 { return s.observed - s.dropped - s.recorded }

// observe folds one occurrence in, and tells whether annotations were left out. A
// buried series only counts it, but for the one that is tried again.
func (s *Series) observe(o *Occurrence, iv *Intervals) (leftOut bool) {
	s.observed++
	if o.At.After(s.last) { // lastObservedTime never goes back
		s.last = o.At
	}
	if s.triable(o.At, iv) {
		s.lift(o.At)
	}
	if s.tombstone != stats.None {
		s.dropped++
		return false
	}
	if len(o.Annotations) > 0 {
		leftOut = s.annotate(o.Annotations)
	}
	if o.LatestNote == "" {
		return leftOut
	}
	if _, stale := s.annotations[LatestNote]; stale || o.LatestNote != s.Head().Note {
		leftOut = !s.noteLatest(o.LatestNote) || leftOut
	}
	return leftOut
}

// writeAt returns when the series wants to be written next, zero if never. The
// past means at once.
func (s *Series) writeAt(iv *Intervals) (at time.Time, ok bool) {
	switch {
	case s.unwritten() == 0:
		return time.Time{}, false
	case s.forced:
		return time.Time{}, true
	case s.holds > 0:
		return s.tried.Add(backoff(firstHold, longestHold, s.holds)), true
	case !s.exists, s.refusals > 0:
		return time.Time{}, true
	case s.recorded == 1:
		// KEP-383: the second occurrence makes the Event a series at once.
		return time.Time{}, true
	}
	at = s.tried.Add(iv.Refresh)
	if finish := s.last.Add(iv.Finish); finish.Before(at) {
		at = finish
	}
	if iv.Publish >= 0 && s.count() >= 2*s.recorded {
		if publish := s.tried.Add(iv.Publish); publish.Before(at) {
			at = publish
		}
	}
	return at, true
}

// turning tells whether the last occurrence may have moved the next deadline to
// earlier, or the series off the idle ones: the first unwritten one does, and the
// one that doubles the count. Any other can only postpone what is due. A buried
// series moves among the idle ones each time.
func (s *Series) turning() bool {
	return s.unwritten() <= 1 || s.count() == 2*s.recorded
}

// finished tells whether the series has nothing to write and was quiet for the
// finish interval: later occurrences are another Event.
func (s *Series) finished(now time.Time, iv *Intervals) bool {
	return s.unwritten() == 0 && !now.Before(s.last.Add(iv.Finish))
}

// tooOld tells whether the server would have expired the event by now. A series
// that was not due before is handed to the writer once all the same.
func (s *Series) tooOld(now time.Time, iv *Intervals) bool {
	tried := s.queued || s.holds > 0 && !s.inflight
	return tried && !now.Before(s.last.Add(iv.RetryFor))
}

// ack books an acknowledged write. resourceVersion is the answer's, if any.
func (s *Series) ack(w *Write, resourceVersion string, now time.Time) (recorded int64) {
	s.exists, s.frozen, s.unseen, s.conflicted = true, nil, false, false
	s.resourceVersion = resourceVersion
	s.tried, s.refusals, s.holds = now, 0, 0
	s.acknowledge(w)
	s.sent = 0 // no later than w, since counts only grow
	if w.Count > s.recorded {
		recorded = w.Count - s.recorded
		s.recorded = w.Count
	}
	return recorded
}

// fail books a write that was not acknowledged. An ambiguous Create is frozen:
// its identical repeat makes both a 2xx and a 409 mean "this count is stored".
func (s *Series) fail(w *Write, ambiguous bool) {
	if !ambiguous {
		return
	}
	s.sent = max(s.sent, w.Count) // a look says nothing about the patch before it
	if w.Op == request.Create {
		s.frozen = w
	}
}

// looked books what a look saw.
func (s *Series) looked(resourceVersion string) {
	s.unseen, s.resourceVersion = false, resourceVersion
}

// expire books that the server has forgotten the object: it is created anew
// with the full count.
func (s *Series) expire() {
	s.exists = false
}

// conflict books that the object was written by somebody else, or by an earlier
// attempt of ours that came late. A patch without a resourceVersion would settle
// it at once, and might itself come late and lower the count.
func (s *Series) conflict() { s.unseen, s.conflicted = true, true }

// giveUp drops everything unwritten and returns how much, and how much of it the
// server may have all the same. Annotations stay: a trial carries them.
func (s *Series) giveUp() (dropped, unconfirmed int64) {
	dropped = s.unwritten()
	unconfirmed = min(max(s.sent-s.recorded, s.sending-s.recorded, 0), dropped)
	s.dropped += dropped
	s.frozen, s.sending = nil, 0
	return dropped, unconfirmed
}
