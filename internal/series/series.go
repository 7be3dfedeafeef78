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

// Series is the state machine of one series, which consists of all occurrences with the same [Key].
// Its inputs are occurrences, times and answers; its outputs are the next write and the next
// deadline. It has no goroutine, lock, clock or client. It is not safe for concurrent use, except
// for the methods whose comments say so.
//
//	       observe            begin            ack
//	idle ───────────▶ waiting ─────▶ in flight ────▶ idle
//	  ▲                 ▲  ▲            │
//	  │                 │  └────────────┤ fail, conflict, missed: perhaps after a pause
//	  │ dropUnwritten   │               │
//	  └────────────── refused ◀─────────┘ refuse
//	                    └── observe, after a pause ──▶ waiting
//
// No field holds the state itself. The state follows from other fields:
//
//	idle       unwritten() == 0
//	waiting    unwritten() > 0 and not inFlight; if holds > 0, a pause must end first
//	in flight  inFlight, and write is the request that was sent
//	refused    the server does not accept the Event; refusedFor is the reason with which
//	           occurrences are dropped until a pause ends
type Series struct {
	// text is the packed first occurrence. Its first keyLen bytes are the key.
	text   string
	keyLen int32

	// pendingSince is when the oldest unwritten occurrence was observed, in Unix seconds. If it was
	// observed while a write was in flight, pendingSince is the time of the answer to that write.
	pendingSince uint32

	// observed is the number of observed occurrences.
	observed int64
	// recorded is the count of the last acknowledged write. It never decreases.
	recorded int64
	// firstWall is the time of the first occurrence that counts in the Event, in Unix microseconds.
	// Occurrences that were dropped before anything was recorded do not count.
	firstWall int64
	// lastWall is the time of the last occurrence, in Unix microseconds. It never decreases.
	lastWall int64
	// last is the time of the last occurrence on the monotonic clock.
	last monotime
	// storedAt is when the last write was acknowledged, or zero if no write was.
	storedAt monotime

	// write is the write in flight. If none is in flight, it is a failed Create that the server
	// might have applied, and that can therefore only be repeated unchanged; or nil if there is no
	// such Create.
	write *Write
	// version is the resourceVersion in the last acknowledged answer, or 0 if it is not a number.
	// The API server always returns a number.
	version uint64
	// extra holds the state that few series need, or is nil. Use extras to read it and
	// mutableExtras to change it.
	extra *extras

	// exists is true if the server has the Event, as far as this series knows.
	exists bool
	// inFlight is true while a write is unanswered.
	inFlight bool
	// versionState is the set of reasons to doubt the resourceVersion.
	versionState versionState
	// attempts is the number of writes begun since the last acknowledged one.
	attempts uint8
	// refusedFor is the reason for dropping occurrences, or None if the series is not refused.
	refusedFor stats.Reason
	// refusals is the number of times that the series was refused since the last acknowledged
	// write.
	refusals uint8
	// holds is the number of answers since the last acknowledged write that made this series pause.
	// Each of them makes the pause longer.
	holds uint8
	// unpublished is the number of times that the count has doubled without being written, because
	// the limit of [Cache.LimitPublishing] was reached.
	unpublished uint8
}

// versionState is a set of reasons to doubt that the series knows the stored Event. The next
// acknowledged write clears all of them.
type versionState uint8

const (
	// versionUnknown is set if the resourceVersion of the Event is not known. The Event must be
	// read before the next Patch.
	versionUnknown versionState = 1 << iota
	// conflicted is set if the last Patch met a conflict, or if answers contradicted each other.
	// The series then pauses as after a conflict, even while a Flush waits.
	conflicted
	// unseen is set if a Create found out that an Event with its name exists already, and this
	// Event has not been read yet.
	unseen
)

// Wait is the reason why a series is not written yet.
type Wait uint8

const (
	// WaitNothing means that everything is recorded.
	WaitNothing Wait = iota
	// WaitTurn means that the series is to be written as soon as possible: it is in the writer's
	// queue, or about to be added to the queue.
	WaitTurn
	// WaitAnswer means that a write is in flight.
	WaitAnswer
	// WaitPause means that a write of this series failed or was refused, and that the pause after
	// it has not ended yet.
	WaitPause
	// WaitInterval means that the series waits until the refresh interval has passed or the series
	// ends. Its count is written at the earlier of these two times.
	WaitInterval
	// waitPublish means that the series waits for the time at which its count is written because it
	// has doubled. Users see waitPublish as WaitInterval.
	waitPublish
)

// String returns the name of the wait in the JSON of a snapshot.
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

// Intervals determine when a series is written. The zero value is not valid.
type Intervals struct {
	// Publish is the minimum time between the last write and a write that is due only because the
	// count has doubled. A negative value disables such writes.
	Publish time.Duration
	// Refresh is the time after the last write at which any unwritten occurrences are written.
	Refresh time.Duration
	// Finish is the time after the last occurrence at which the final count is written and the
	// series is forgotten.
	Finish time.Duration
	// RetryFor is the time after the last occurrence at which unwritten occurrences are dropped.
	RetryFor time.Duration
}

// init makes s the series that begins with o, but does not count o yet. The series does not retain
// the memory of o.
func (s *Series) init(key PackedKey, o *Occurrence) {
	var buf [2 * len(KeyBuffer{})]byte
	s.text = string(o.packRest(append(buf[:0], key.text...)))
	s.keyLen = int32(len(key.text))
	s.firstWall = o.At.UnixMicro()
	s.lastWall = o.At.UnixMicro()
}

// NewSingle returns a series that consists of the occurrence o alone and belongs to no cache. It is
// for watchers and for package correlator, which need an Event for every occurrence. The series
// does not retain the memory of o.
func NewSingle(o *Occurrence) *Series {
	var buf KeyBuffer
	s := &Series{}
	s.init(o.PackKey(buf[:0]), o)
	s.observed = 1
	s.annotate(o.Annotations)
	return s
}

// First returns the first occurrence with the fields that the Event needs, which are all except the
// time, the annotations and the settings of the recorder. The result never changes, so First is
// safe for concurrent use.
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
// shares its Event with other processes, and the Event that has this name turns out to belong to
// another series.
func (s *Series) EventName() (namespace, name string) {
	first := s.First()
	return first.Namespace, s.eventName(&first)
}

// eventName returns the name of the Event. The parameter first is the first occurrence.
func (s *Series) eventName(first *Occurrence) string {
	if shared := s.extras().shared; shared != nil {
		return shared.name
	}
	return first.EventName()
}

// Bytes returns the total length of the texts of s. Package correlator needs it to limit the memory
// of its queues.
func (s *Series) Bytes() int { return len(s.text) + lenOf(s.extras().annotations) }

// key returns the packed key, by which the cache finds the series.
func (s *Series) key() string { return s.text[:s.keyLen] }

// base returns the packed key without the note.
func (s *Series) base() string {
	u := unpacker{s.text}
	u.base(&Key{})
	return s.text[:len(s.text)-len(u.rest)]
}

// normal reports whether the type of the Event is Normal. The first byte of the packed key says
// which type it is.
func (s *Series) normal() bool { return eventTypes[s.text[0]] == normalType }

// count returns how many occurrences of this series the server should have: all observed ones
// except the dropped ones. The count of a shared Event is higher; see [Series.countedElsewhere].
func (s *Series) count() int64 { return s.observed - s.extras().dropped }

// unwritten returns the number of observed occurrences that are neither recorded nor dropped.
func (s *Series) unwritten() int64 { return s.count() - s.recorded }

// recordedOnce reports whether at most one occurrence is recorded.
func (s *Series) recordedOnce() bool { return s.recorded <= 1 }

// observe counts one occurrence. If the series is refused and the pause after the refusal has not
// ended, the occurrence counts as dropped. observe reports whether annotations were left out
// because of their size.
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

// mayRetry reports whether the series is refused and its pause is over at the time now, so that the
// next occurrence is written, to find out whether the server still refuses the Event.
func (s *Series) mayRetry(now monotime, iv *Intervals) bool {
	return s.refusedFor != stats.None && !now.Before(s.retriesAt(iv))
}

// retriesAt returns the time until which a refused series drops its occurrences.
func (s *Series) retriesAt(iv *Intervals) monotime {
	return s.extras().pausedAt.Add(min(timing.RefusalBackoff.After(int(s.refusals)), iv.Refresh))
}

// retry makes a refused series write again. The series does not count as refused until the next
// answer.
func (s *Series) retry(now time.Time) {
	s.refusedFor = stats.None
	if s.recorded == 0 { // this occurrence is the first that the server will know
		s.firstWall = now.UnixMicro()
	}
}

// nextWrite returns why the next write waits, and until when. A zero time means that the write need
// not wait, or that there is nothing to write.
func (s *Series) nextWrite(iv *Intervals) (why Wait, until monotime) {
	// A Flush ends the current pause when it begins. While the Flush waits, a failure causes no
	// pause, because the gate of the namespace holds the write back. A conflict still causes a
	// pause, because it closes no gate.
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

// deadlineMayMove reports whether the last occurrence may have made the next deadline earlier. This
// can happen only if it is the first unwritten occurrence or doubles the count; any other
// occurrence only postpones the deadline. For a refused series the result is always true, because
// it has no unwritten occurrences.
func (s *Series) deadlineMayMove() bool {
	return s.unwritten() <= 1 || s.count() == s.nextPublishCount()
}

// publishAt returns when the count is to be written because it has doubled since the last write.
// The result is the latest possible time if the count has not doubled, or if such writes are
// disabled.
func (s *Series) publishAt(iv *Intervals) monotime {
	if iv.Publish < 0 || s.count() < s.nextPublishCount() {
		return math.MaxInt64
	}
	return s.storedAt.Add(iv.Publish)
}

// nextPublishCount returns the count at which the series is due because of its growth: twice the
// recorded count, doubled again for each time that the limit on such writes was reached. Counts of
// other processes in the same Event do not matter, because if this process ends, only its own
// unwritten occurrences are lost.
func (s *Series) nextPublishCount() int64 { return s.recorded << (1 + s.unpublished) }

// skipPublish makes the series wait until its count has doubled once more. The recorded count must
// not be zero, because zero does not grow by doubling.
func (s *Series) skipPublish() {
	for s.count() >= s.nextPublishCount() {
		s.unpublished++
	}
}

// class returns the class of the next write, which determines its place in the writer's queue.
// After a conflict the class is not one for failed writes, because the next attempt is no more
// likely to fail than any other write.
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

// forced reports whether a Flush is waiting for the series to be written.
func (s *Series) forced() bool { return len(s.extras().flushes) > 0 }

// finished reports whether everything is written and the finish interval has passed since the last
// occurrence. If so, a later occurrence begins a new Event.
func (s *Series) finished(now monotime, iv *Intervals) bool {
	return s.unwritten() == 0 && !now.Before(s.last.Add(iv.Finish))
}

// superseded reports whether a refused series that is to be written again needs a new Event. It
// needs one if a write without a clear answer might have stored a higher count than the next write
// would store, because the count of an Event must never decrease.
func (s *Series) superseded(now monotime, iv *Intervals) bool {
	return s.extras().maxUnconfirmed > s.recorded && s.mayRetry(now, iv)
}

// extras holds the state that few series need.
type extras struct {
	// dropped is the number of observed occurrences that will never be written.
	dropped int64
	// maxUnconfirmed is the highest count that the server might have stored since the last
	// acknowledged write, by a write that failed without a clear answer.
	maxUnconfirmed int64
	// pausedAt is when the last pause began, after a failure, a conflict or a refusal.
	pausedAt monotime
	// annotations are the annotations that the Event should have.
	annotations map[string]string
	// changed holds the annotations that have changed since the last acknowledged write.
	changed map[string]string
	// shared is nil if the name of the Event is unique to this series.
	shared *sharedCount
	// version is the resourceVersion if it is not a number.
	version string
	// flushes are the calls of Flush that wait for this series.
	flushes []flushTarget
	// denials counts the answers that denied this series alone, rather than its whole namespace. It
	// is reset when the Event is stored or the whole namespace is refused. deniedSince is the time
	// of the first of these answers. Both together decide when the series is refused; see
	// maxDenials.
	denials     uint8
	deniedSince monotime
}

// noExtras is the empty value that most series share. It must not be modified.
var noExtras extras

// extras returns the state that few series need. The caller must not set the fields of the result,
// because it may be noExtras. It may modify the maps and the shared count to which these fields
// refer, because noExtras has none.
func (s *Series) extras() *extras {
	if s.extra != nil {
		return s.extra
	}
	return &noExtras
}

// mutableExtras returns the same state as extras, but the caller may modify it. If the series has
// no such state of its own yet, mutableExtras allocates it.
func (s *Series) mutableExtras() *extras {
	if s.extra == nil {
		s.extra = &extras{}
	}
	return s.extra
}

// resourceVersion returns the resourceVersion in the last acknowledged answer, or "" if the sink
// returned none.
func (s *Series) resourceVersion() string {
	if s.version != 0 {
		return strconv.FormatUint(s.version, 10)
	}
	return s.extras().version
}

func (s *Series) setResourceVersion(version string) {
	s.version = 0
	if version != "" && version[0] != '0' { // keep leading zeros
		if n, err := strconv.ParseUint(version, 10, 64); err == nil {
			s.version = n
			version = ""
		}
	}
	if s.extras().version != version {
		s.mutableExtras().version = version
	}
}

// saturatingInc returns n+1, or n if n is the maximum uint8.
func saturatingInc(n uint8) uint8 { return min(n, math.MaxUint8-1) + 1 }
