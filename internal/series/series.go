// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"math"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/timing"
)

const normalType = corev1.EventTypeNormal

// Series is the state machine of one series: of the occurrences with one [Key]. Occurrences, times and
// answers go in; the next write and the next deadline come out. It has no goroutine, lock, clock or
// client. It is not safe for concurrent use, except for the methods that say so.
//
//	       observe            begin            ack
//	idle ───────────▶ waiting ─────▶ in flight ────▶ idle
//	  ▲                 ▲  ▲            │
//	  │                 │  └────────────┤ fail, conflict, missed: perhaps after a pause
//	  │ dropUnwritten   │               │
//	  └────────────── refused ◀─────────┘ refuse
//	                    └── observe, after a pause ──▶ waiting
//
// No field has the name of a state. The states follow from these:
//
//	idle       unwritten() == 0
//	waiting    unwritten() > 0 and not inFlight; holds > 0 means that a pause must end before
//	in flight  inFlight, and write is the request that was sent
//	refused    refusedFor is a reason: each occurrence is dropped for it until the pause has ended
type Series struct {
	// text is the first occurrence, packed. Its first keyLen bytes are the key.
	text   string
	keyLen int32

	// pendingSince is the time at which the oldest unwritten occurrence was observed, in Unix seconds.
	// If that came while a write was in flight, it is the time of the answer to that write.
	pendingSince uint32

	// observed counts occurrences.
	observed int64
	// recorded is the count of the last acknowledged write. It never decreases.
	recorded int64
	// firstWall is the time of the first occurrence that the server may know of, in Unix
	// microseconds.
	firstWall int64
	// lastWall is the time of the last occurrence, in Unix microseconds. It never goes back.
	lastWall int64
	// last is the time of the last occurrence, too, by the monotonic clock.
	last monotime
	// storedAt is the time at which the last write was acknowledged. The zero monotime means never.
	storedAt monotime

	// write is the write in flight, or a Create that may have been applied: only its identical
	// repeat is safe.
	write *Write
	// version is the resourceVersion of the last acknowledged answer, or 0 if that is no number.
	// The API server's always is one.
	version uint64
	// extra is the state that few series have, or nil. Read it with extras, change it with
	// mutableExtras.
	extra *extras

	// exists reports that a Create was acknowledged, and that the Event has not expired since.
	exists bool
	// inFlight reports that a write was sent, and that its answer is not known yet.
	inFlight bool
	// versionState is the set of reasons to doubt the resourceVersion.
	versionState versionState
	// attempts counts the writes that were begun since the last acknowledged one.
	attempts uint8
	// refusedFor is the reason for which occurrences are dropped, or None.
	refusedFor stats.Reason
	// refusals counts how often the series was refused since the last acknowledged write.
	refusals uint8
	// holds counts the answers, since the last acknowledged write, that put this series alone into a
	// pause. The pause grows with it.
	holds uint8
	// unpublished counts how often the count has doubled while [Cache.LimitPublishing] did not let it
	// be written.
	unpublished uint8
}

// versionState is a set of reasons to doubt that the series knows the stored Event. The next
// acknowledged write clears all of them.
type versionState uint8

const (
	// versionUnknown is set if the resourceVersion of the Event is not known, so that it must be read
	// before the next Patch.
	versionUnknown versionState = 1 << iota
	// conflicted is set if the last Patch met a conflict, or if the answers contradict each other.
	// Then the series has the pauses of a conflict, even while a Flush waits.
	conflicted
	// unseen is set if a Create has found an Event under its name, and nobody has read it yet.
	unseen
)

// Wait is the reason for which a series is not written now.
type Wait uint8

const (
	// WaitNothing means that everything is recorded.
	WaitNothing Wait = iota
	// WaitTurn means that the series is due, and that the writer has it or gets it now.
	WaitTurn
	// WaitAnswer means that a write is in flight.
	WaitAnswer
	// WaitPause means that a write of this series failed or was refused, and that a pause must end.
	WaitPause
	// WaitInterval means that the count is written when it is old, or when the series is over.
	WaitInterval
	// waitPublish means that the count is written because it has doubled. Users see WaitInterval.
	waitPublish
)

// String returns the name of the wait as it stands in the JSON of a snapshot.
func (w Wait) String() string {
	return [...]string{
		WaitNothing:  "",
		WaitTurn:     "Turn",
		WaitAnswer:   "Answer",
		WaitPause:    "Event",
		WaitInterval: "Interval",
		waitPublish:  "Interval",
	}[w]
}

// Intervals say when a series is written. The zero value is not valid.
type Intervals struct {
	// Publish is the least time between the last write and one that is made because the count has
	// doubled. A negative one turns these writes off.
	Publish time.Duration
	// Refresh is the time after the last write at which anything unwritten is written.
	Refresh time.Duration
	// Finish is the time from the last occurrence to the final write, after which the series is
	// forgotten.
	Finish time.Duration
	// RetryFor is the age of the last occurrence at which anything unwritten is dropped.
	RetryFor time.Duration
}

// init makes s the series that begins with o, which is not counted yet. The series shares no memory
// with o.
func (s *Series) init(key PackedKey, o *Occurrence) {
	var buf [2 * len(KeyBuffer{})]byte
	s.text = string(o.packRest(append(buf[:0], key.text...)))
	s.keyLen = int32(len(key.text))
	s.firstWall = o.At.UnixMicro()
	s.lastWall = o.At.UnixMicro()
}

// NewSingle returns a series of one occurrence that is in no cache, for watchers and package
// correlator, which want an Event of every occurrence. It shares no memory with o.
func NewSingle(o *Occurrence) *Series {
	var buf KeyBuffer
	s := &Series{}
	s.init(o.PackKey(buf[:0]), o)
	s.observed = 1
	s.annotate(o.Annotations)
	return s
}

// First returns the first occurrence as far as it is needed for the Event: without time, annotations
// and the settings of its recorder. It never changes, so First is safe for concurrent use.
func (s *Series) First() Occurrence { return unpack(s.text) }

// Namespace returns the namespace of the Event. It never changes, so Namespace is safe for
// concurrent use.
func (s *Series) Namespace() string {
	var k Key
	u := unpacker{s.text}
	u.base(&k)
	u.rest = s.text[s.keyLen:]
	return u.beginning(k.Regarding.Namespace)
}

// EventName returns the namespace and the name of the Event. The name changes only if the series
// shares its count with other processes, and finds that the Event of the name is not its own.
func (s *Series) EventName() (namespace, name string) {
	first := s.First()
	return first.Namespace, s.eventName(&first)
}

// eventName returns the name of the Event, given the first occurrence.
func (s *Series) eventName(first *Occurrence) string {
	if shared := s.extras().shared; shared != nil {
		return shared.name
	}
	return first.EventName()
}

// Bytes returns the memory of the texts, for package broadcast, which bounds the memory of its queues.
func (s *Series) Bytes() int { return len(s.text) + lenOf(s.extras().annotations) }

// key returns the text by which the cache looks the series up.
func (s *Series) key() string { return s.text[:s.keyLen] }

// base returns the key without the note.
func (s *Series) base() string {
	u := unpacker{s.text}
	u.base(&Key{})
	return s.text[:len(s.text)-len(u.rest)]
}

// normal reports whether the type, which is the first byte of the key, is Normal.
func (s *Series) normal() bool { return eventTypes[s.text[0]] == normalType }

// count returns the number of occurrences that this series should have on the server. An Event with a
// shared count has more, see [Series.countedElsewhere].
func (s *Series) count() int64 { return s.observed - s.extras().dropped }

// unwritten returns the number of occurrences that the server does not have yet.
func (s *Series) unwritten() int64 { return s.count() - s.recorded }

// recordedOnce reports whether one occurrence is recorded at most.
func (s *Series) recordedOnce() bool { return s.recorded <= 1 }

// observe counts one occurrence, and reports whether annotations were left out because of their
// size. A refused series counts it as dropped, unless it is time to try again.
func (s *Series) observe(o *Occurrence, now monotime, iv *Intervals) (leftOut bool) {
	s.observed++
	if s.unwritten() == 1 {
		s.pendingSince = uint32(o.At.Unix())
	}
	s.last = max(s.last, now)
	s.lastWall = max(s.lastWall, o.At.UnixMicro())
	if s.mayRetry(now, iv) {
		s.retry(o.At)
	}
	if s.refusedFor != stats.None {
		s.mutableExtras().dropped++
		return false
	}
	if len(o.Annotations) > 0 {
		leftOut = s.annotate(o.Annotations)
	}
	if o.LatestNote {
		s.annotateLatest(o.Note)
	}
	return leftOut
}

// mayRetry reports whether an occurrence at now is tried although the series was refused.
func (s *Series) mayRetry(now monotime, iv *Intervals) bool {
	return s.refusedFor != stats.None && !now.Before(s.retriesAt(iv))
}

// retriesAt returns until when a refused series drops occurrences.
func (s *Series) retriesAt(iv *Intervals) monotime {
	return s.extras().pausedAt.Add(min(timing.RefusalBackoff.After(int(s.refusals)), iv.Refresh))
}

// retry lets occurrences through to the writer again, until the next answer.
func (s *Series) retry(now time.Time) {
	s.refusedFor = stats.None
	if s.recorded == 0 { // it is the first one that the server will know of
		s.firstWall = now.UnixMicro()
	}
}

// nextWrite returns why the next write waits, and until when. The zero monotime means that it need
// not wait, unless there is nothing to write.
func (s *Series) nextWrite(iv *Intervals) (why Wait, until monotime) {
	// A Flush ends a pause when it begins. While it waits, a failure does not make the series pause,
	// because the gate of the namespace holds the write back. A conflict does, because it closes no gate.
	paused := s.holds > 0 && (!s.forced() || s.versionState&conflicted != 0)
	switch {
	case s.unwritten() == 0:
		return WaitNothing, 0
	case paused:
		return WaitPause, s.extras().pausedAt.Add(s.holdFor())
	case s.forced(), !s.exists, s.refusals > 0:
		return WaitTurn, 0
	case s.recordedOnce():
		return WaitTurn, 0 // KEP-383: the second occurrence is written at once
	}
	until = min(s.storedAt.Add(iv.Refresh), s.last.Add(iv.Finish))
	if at := s.publishAt(iv); at.Before(until) {
		return waitPublish, at
	}
	return WaitInterval, until
}

// deadlineMayMove reports whether the last occurrence may have moved the next deadline to earlier. The
// first unwritten occurrence may, and so may the one that doubles the count. Any other only postpones
// the deadline. A refused series has nothing unwritten, so each of its occurrences is looked at.
func (s *Series) deadlineMayMove() bool {
	return s.unwritten() <= 1 || s.count() == s.nextPublishCount()
}

// publishAt returns when a count that has doubled is written.
func (s *Series) publishAt(iv *Intervals) monotime {
	if iv.Publish < 0 || s.count() < s.nextPublishCount() {
		return math.MaxInt64
	}
	return s.storedAt.Add(iv.Publish)
}

// nextPublishCount returns the count at which the series is published: twice the recorded one, and
// twice as much again for each time that there was no token. The counts of other processes in the
// same Event do not matter, because a kill loses only what this process has not written.
func (s *Series) nextPublishCount() int64 { return s.recorded << (1 + s.unpublished) }

// skipPublish makes the series wait until its count has doubled again. Something must be recorded.
func (s *Series) skipPublish() {
	for s.count() >= s.nextPublishCount() {
		s.unpublished++
	}
}

// class returns the class of the next write, by which the writer orders its queue. A conflict does
// not put the write in a class of failed writes, because the next attempt is no more likely to fail
// than any other.
func (s *Series) class() (class request.Class) {
	switch {
	case !s.exists, s.recorded == 0:
		class = request.First(!s.normal())
	case s.recordedOnce():
		class = request.Second
	default:
		class = request.Count
	}
	if s.holds > 0 && s.versionState&conflicted == 0 {
		return class.Failed()
	}
	return class
}

// forced reports whether a Flush wants the series to be written now.
func (s *Series) forced() bool { return len(s.extras().flushes) > 0 }

// finished reports whether the series has nothing to write and was quiet for the finish interval.
// Later occurrences are another Event.
func (s *Series) finished(now monotime, iv *Intervals) bool {
	return s.unwritten() == 0 && !now.Before(s.last.Add(iv.Finish))
}

// superseded reports whether the next try after a refusal needs another Event. It does if a write
// without an answer may have stored a higher count than the next one would, because a count must never
// decrease.
func (s *Series) superseded(now monotime, iv *Intervals) bool {
	return s.extras().maxUnconfirmed > s.recorded && s.mayRetry(now, iv)
}

// extras is the state that few series have.
type extras struct {
	// dropped counts the observed occurrences that are never written.
	dropped int64
	// maxUnconfirmed is the highest count that the server may have stored since the last acknowledged
	// write, because the answer does not say that it has not.
	maxUnconfirmed int64
	// pausedAt is the time at which the last pause began, after a failure, a conflict or a refusal.
	pausedAt monotime
	// annotations are those that the Event should have on the server.
	annotations map[string]string
	// changed are the annotations that are not acknowledged yet.
	changed map[string]string
	// shared is nil if the name of the Event is unique to this series.
	shared *sharedCount
	// version is the resourceVersion, if it is no number.
	version string
	// flushes wait for this series.
	flushes []flushTarget
	// denials counts refusals of this series alone, since the last acknowledged write. After
	// maxDenials of them the series is given up. The first came at deniedSince.
	denials     uint8
	deniedSince monotime
}

// noExtras is what most series share. It must not be changed.
var noExtras extras

// extras returns the state that few series have. The caller must not set its fields, because it may be
// noExtras. It may change a map or the shared count in it, because noExtras has none.
func (s *Series) extras() *extras {
	if s.extra != nil {
		return s.extra
	}
	return &noExtras
}

// mutableExtras returns the state that few series have, for a change. It makes that state if the
// series has none yet.
func (s *Series) mutableExtras() *extras {
	if s.extra == nil {
		s.extra = &extras{}
	}
	return s.extra
}

// resourceVersion returns the one of the last acknowledged answer, or "" if the sink tells none.
func (s *Series) resourceVersion() string {
	if s.version != 0 {
		return strconv.FormatUint(s.version, 10)
	}
	return s.extras().version
}

func (s *Series) setResourceVersion(version string) {
	s.version = 0
	if version != "" && version[0] != '0' { // a number with a leading zero would lose it
		if n, err := strconv.ParseUint(version, 10, 64); err == nil {
			s.version = n
			version = ""
		}
	}
	if s.extras().version != version {
		s.mutableExtras().version = version
	}
}

// saturatingInc returns n+1, or n if that is the greatest uint8.
func saturatingInc(n uint8) uint8 { return min(n, math.MaxUint8-1) + 1 }
