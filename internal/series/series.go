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

// Series is the state machine of one series: of the occurrences with one [Key]. Time and answers go
// in; the next write and the next deadline come out. It has no goroutine, lock, clock or client. It
// is not safe for concurrent use, except for the methods that say so.
//
//	        observe              begin              ack
//	memory ────────▶ unwritten ───────▶ in flight ───────▶ recorded
//	                    ▲  ▲                │ fail, expire, conflict, hold
//	                    │  └────────────────┘            refuse ──▶ refused
//	                    └──── observe, after a back-off ────────────┘
type Series struct {
	// text is the first occurrence, packed. Its first keyLen bytes are the key.
	text   string
	keyLen int32

	// waitsFrom is the time at which the oldest unwritten occurrence was observed, in Unix seconds.
	waitsFrom uint32

	// observed counts occurrences.
	observed int64
	// recorded is the count of the last acknowledged write. It never decreases.
	recorded int64
	// began is the time of the first occurrence that the server may know of, in Unix microseconds.
	began int64
	// seen is the time of the last occurrence, in Unix microseconds. It never goes back.
	seen int64
	// last is the time of the last occurrence, by the monotonic clock.
	last monotime
	// lastWrite is the time at which the last write was acknowledged, refused or held.
	lastWrite monotime

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
	// attempts counts writes in a row that were not acknowledged.
	attempts uint8
	// refusedFor is the reason for which occurrences are dropped, or None.
	refusedFor stats.Reason
	// refusals counts refusals in a row.
	refusals uint8
	// holds counts in a row the answers after which the series waits by itself.
	holds uint8
	// unpublished counts how often the count has doubled while no token was left to publish it.
	unpublished uint8
}

// versionState is a set of reasons to doubt the resourceVersion of a series.
type versionState uint8

const (
	// versionUnknown is set if others have written the Event since.
	versionUnknown versionState = 1 << iota
	// conflicted is set if the last Patch met a conflict, or if the answers contradict each other.
	conflicted
	// unseen is set if a Create has found an Event under its name, and nobody has looked at it yet.
	unseen
)

// Intervals say when a series is written. The zero value is not valid.
type Intervals struct {
	// Publish is the time from the last write to that of a doubled count. A negative one turns
	// these writes off.
	Publish time.Duration
	// Refresh is the time from the last write to that of anything unwritten.
	Refresh time.Duration
	// Finish is the time from the last occurrence to the final write, after which the series is
	// forgotten.
	Finish time.Duration
	// RetryFor is the age of the last occurrence at which anything unwritten is dropped.
	RetryFor time.Duration
}

// newSeries returns a series without an occurrence. It copies what it keeps of o.
func newSeries(key PackedKey, o *Occurrence) *Series {
	s := &Series{}
	s.init(key, o)
	return s
}

// init makes s the series that begins with o, which is not counted yet. It copies what it keeps of o.
func (s *Series) init(key PackedKey, o *Occurrence) {
	var buf [2 * len(KeyBuffer{})]byte
	s.text = string(o.packRest(append(buf[:0], key.text...)))
	s.keyLen = int32(len(key.text))
	s.began = o.At.UnixMicro()
	s.seen = o.At.UnixMicro()
}

// NewSingle returns a series of one occurrence that is in no cache, for callers that want every
// occurrence. It copies what it keeps of o.
func NewSingle(o *Occurrence) *Series {
	var buf KeyBuffer
	s := newSeries(o.PackKey(buf[:0]), o)
	s.observed = 1
	s.annotate(o.Annotations)
	return s
}

// First returns the first occurrence, without its time and annotations. It never changes, so First
// is safe for concurrent use.
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
// shares its count with other processes, and only until the Event is stored.
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

// Bytes returns the memory that the series has copied.
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

// count returns the number that the server should have.
func (s *Series) count() int64 { return s.observed - s.extras().dropped }

// unwritten returns the number of occurrences that the server does not have yet.
func (s *Series) unwritten() int64 { return s.count() - s.recorded }

// isSingle reports whether one occurrence is recorded at most.
func (s *Series) isSingle() bool { return s.recorded <= 1 }

// observe counts one occurrence, and reports whether annotations were left out because of their
// size. A refused series counts it as dropped, unless it is time to try again.
func (s *Series) observe(o *Occurrence, now monotime, iv *Intervals) (leftOut bool) {
	s.observed++
	if s.unwritten() == 1 {
		s.waitsFrom = uint32(o.At.Unix())
	}
	s.last = max(s.last, now)
	s.seen = max(s.seen, o.At.UnixMicro())
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
	return s.refusedFor != stats.None && now.Sub(s.lastWrite) >= s.retryAfter(iv)
}

// retryAfter returns how long a refused series drops occurrences.
func (s *Series) retryAfter(iv *Intervals) time.Duration {
	return min(timing.RefusalBackoff.After(int(s.refusals)), iv.Refresh)
}

// retry lets occurrences through to the writer again, until the next answer.
func (s *Series) retry(now time.Time) {
	s.refusedFor = stats.None
	if s.recorded == 0 { // it is the first one that the server will know of
		s.began = now.UnixMicro()
	}
}

// nextWrite returns what the next write waits for, and until when. The zero monotime means now.
func (s *Series) nextWrite(iv *Intervals) (waitsFor string, until monotime) {
	heldByItself := s.holds > 0 && (!s.forced() || s.versionState&conflicted != 0) // any other hold closes a gate, too
	switch {
	case s.unwritten() == 0:
		return ForNothing, 0
	case heldByItself:
		return ForEvent, s.lastWrite.Add(s.holdFor())
	case s.forced(), !s.exists, s.refusals > 0:
		return ForTurn, 0
	case s.isSingle(): // KEP-383: the second occurrence is written at once
		return ForTurn, 0
	}
	return ForInterval, min(s.lastWrite.Add(iv.Refresh), s.last.Add(iv.Finish), s.publishAt(iv))
}

// deadlineMayMove reports whether the last occurrence may have made the next deadline earlier, or
// the series no longer idle. The first unwritten occurrence may, and so may the one that doubles the
// count. Any other only postpones the deadline. A refused series changes its place among the idle
// ones with each.
func (s *Series) deadlineMayMove() bool {
	return s.unwritten() <= 1 || s.count() == s.nextPublishCount()
}

// publishAt returns when a count that has doubled is written.
func (s *Series) publishAt(iv *Intervals) monotime {
	if iv.Publish < 0 || s.count() < s.nextPublishCount() {
		return math.MaxInt64
	}
	return s.lastWrite.Add(iv.Publish)
}

// nextPublishCount returns the count at which the series is published: twice the recorded one, and
// twice as much again for each time that there was no token. The counts of other processes in the
// same Event do not matter, because a kill loses only what this process has not written.
func (s *Series) nextPublishCount() int64 { return s.recorded << (1 + s.unpublished) }

// skipPublish makes the series wait until its count has doubled again.
func (s *Series) skipPublish() {
	for s.count() >= s.nextPublishCount() {
		s.unpublished++
	}
}

// class returns the class of the next write, by which the writer orders its queue.
func (s *Series) class() (class request.Class) {
	switch {
	case !s.exists, s.recorded == 0:
		class = request.First(!s.normal())
	case s.isSingle():
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

// superseded reports whether the next try needs another Event, because of this one the server may
// have more than is recorded, and a count must never decrease.
func (s *Series) superseded(now monotime, iv *Intervals) bool {
	return s.extras().maxUnconfirmed > s.recorded && s.mayRetry(now, iv)
}

// extras is the state that few series have.
type extras struct {
	// dropped counts the observed occurrences that are never written.
	dropped int64
	// maxUnconfirmed is the highest count that was sent without an answer since the last
	// acknowledged write.
	maxUnconfirmed int64
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
	// denials counts answers in a row by which the series is held and then given up. The first of
	// them came at deniedSince.
	denials     uint8
	deniedSince monotime
}

// noExtras is what most series share. It must not be changed.
var noExtras extras

// extras returns the state that few series have. The caller must not change it.
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
	if version != "" && version[0] != '0' {
		if n, err := strconv.ParseUint(version, 10, 64); err == nil {
			s.version = n
			version = ""
		}
	}
	if s.extras().version != version {
		s.mutableExtras().version = version
	}
}
