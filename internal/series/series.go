// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"strconv"
	"sync/atomic"
	"time"

	"github.com/eventseries/eventseries/internal/stats"
)

// Series is the state machine of one series of isomorphic occurrences. It has no
// goroutine, lock, clock or client: time and answers go in, the next write and the
// next deadline come out. The lock of its shard guards it.
//
//	        observe              next               ack
//	memory ────────▶ unwritten ───────▶ in flight ───────▶ recorded
//	                    ▲  ▲                │ fail, expire, conflict, hold
//	                    │  └────────────────┘            refuse ──▶ refused
//	                    └──── observe, after a back-off ────────────┘
type Series struct {
	text      string // the first occurrence, packed
	keyLen    int32  // of text, the key
	waitsFrom uint32 // when the oldest unwritten occurrence was observed, in Unix seconds

	observed  int64  // occurrences
	recorded  int64  // the count of the last acknowledged write; it never decreases
	began     int64  // the first occurrence that the server may know of, in Unix microseconds
	seen      int64  // the last occurrence, in Unix microseconds; it never goes back
	last      moment // the last occurrence
	lastWrite moment // when the last write was acknowledged, refused or held

	// write is the one under way, or a Create that may have been applied: only its
	// identical repeat is safe.
	write *Write
	// version is the resourceVersion of the last acknowledged answer, or 0 if that is no
	// number. The API server's always is one.
	version uint64
	extra   atomic.Pointer[extra] // nil for most; EventName loads it without the lock

	exists      bool         // a Create was acknowledged and the Event has not expired since
	attempts    uint8        // writes in a row that were not acknowledged
	doubts      doubts       // about the resourceVersion
	refusedFor  stats.Reason // why occurrences are dropped; None unless refused
	refusals    uint8        // how many in a row
	holds       uint8        // how many in a row, since the last other answer
	unpublished uint8        // how often the count has doubled without a token to publish that

	cacheEntry
}

// doubts say what makes a series doubt its resourceVersion.
type doubts uint8

const (
	versionUnknown doubts = 1 << iota // the Event was written by others since
	conflicted                        // the last Patch met a conflict, or the answers contradict each other
	unseen                            // a Create has found an Event that nobody has looked at
)

// Intervals say when a series is written. The zero value is not valid.
type Intervals struct {
	Publish  time.Duration // since the last write, once the count has doubled; negative: off
	Refresh  time.Duration // since the last write, if anything is unwritten
	Finish   time.Duration // since the last occurrence: write the final count, then forget
	RetryFor time.Duration // since the last occurrence: drop what is unwritten

	// lifetime is how long the server keeps Events. A cache makes it and keeps it.
	lifetime *lifetime
}

// newSeries returns a series without an occurrence. It copies what it keeps.
func newSeries(key PackedKey, o *Occurrence) *Series {
	var buf [2 * len(KeyBuffer{})]byte
	return &Series{
		text:   string(o.packRest(append(buf[:0], key.text...))),
		keyLen: int32(len(key.text)),
		began:  o.At.UnixMicro(),
		seen:   o.At.UnixMicro(),
	}
}

// NewSingle returns a series of one occurrence that is in no cache, for callers that
// want every occurrence. It copies what it keeps.
func NewSingle(o *Occurrence) *Series {
	var buf KeyBuffer
	s := newSeries(o.PackKey(buf[:0]), o)
	s.observed = 1
	s.annotate(o.Annotations)
	return s
}

// Bytes is the memory of what the series copied.
func (s *Series) Bytes() int { return len(s.text) + lenOf(s.rare().annotations) }

// key is what the cache looks the series up by.
func (s *Series) key() string { return s.text[:s.keyLen] }

// base is the key without the note.
func (s *Series) base() string {
	u := unpacker{s.text}
	u.base(&Key{})
	return s.text[:len(s.text)-len(u.rest)]
}

// normal reports whether the type, which is the first byte of the key, is Normal.
func (s *Series) normal() bool { return eventTypes[s.text[0]] == normalType }

// First returns the first occurrence, without its time and annotations. It never
// changes and needs no lock.
func (s *Series) First() Occurrence { return unpack(s.text) }

// Namespace returns the namespace of the Event. It needs no lock.
func (s *Series) Namespace() string {
	var k Key
	u := unpacker{s.text}
	u.base(&k)
	u.rest = s.text[s.keyLen:]
	return u.beginning(k.Regarding.Namespace)
}

// EventName returns the namespace and the name of the Event. It needs no lock. They never
// change, but for a name under continuity until the Event is stored.
func (s *Series) EventName() (namespace, name string) {
	first := s.First()
	return first.Namespace, s.name(&first)
}

// name is the name of the Event whose first occurrence this is.
func (s *Series) name(first *Occurrence) string {
	if c := s.rare().continuity; c != nil {
		return *c.name.Load()
	}
	return first.EventName()
}

// count is what the server should say.
func (s *Series) count() int64 { return s.observed - s.rare().dropped }

// unwritten is what the server does not say yet.
func (s *Series) unwritten() int64 { return s.count() - s.recorded }

// nextWrite returns what the next write waits for, and until when. With the zero
// moment that is the writer.
func (s *Series) nextWrite(iv *Intervals) (why string, at moment) {
	switch {
	case s.unwritten() == 0:
		return ForNothing, 0
	case s.holds > 0 && (!s.forced() || s.doubts&conflicted != 0): // what else holds a write closes a gate, too
		return ForEvent, s.lastWrite.Add(s.holdFor())
	case s.forced(), !s.exists, s.refusals > 0, s.isSingle(): // KEP-383: the second occurrence is written at once
		return ForTurn, 0
	}
	return ForInterval, min(s.lastWrite.Add(iv.refresh(s)), s.last.Add(iv.Finish), s.publishAt(iv))
}

// isSingle reports whether one occurrence is recorded at most.
func (s *Series) isSingle() bool { return s.recorded <= 1 }

// mayAdvanceDeadline reports whether the last occurrence may have made the next
// deadline earlier, or the series no longer idle. The first unwritten occurrence
// may, and the one that doubles the count. Any other only postpones the deadline.
// A refused series changes its place among the idle ones with each.
func (s *Series) mayAdvanceDeadline() bool {
	return s.unwritten() <= 1 || s.count() == s.publishFrom()
}

// finished reports whether the series has nothing to write and was quiet for the
// finish interval: later occurrences are another Event.
func (s *Series) finished(now moment, iv *Intervals) bool {
	return s.unwritten() == 0 && !now.Before(s.last.Add(iv.Finish))
}

// tooOld reports whether the server would have expired the Event by now, so that it is of no more use.
// A series is not too old before it was handed to the writer once. One that a Flush waits for is
// not too old before one write of it was tried, because before Start only the Flush writes.
func (s *Series) tooOld(now moment, iv *Intervals) bool {
	tried := s.queued || s.holds > 0 && !s.inFlight
	return tried && (s.attempts > 0 || !s.forced()) && !now.Before(s.last.Add(iv.RetryFor))
}

// extra is what few series have.
type extra struct {
	dropped int64 // of the observed occurrences, those that are never to be written
	// maxUnconfirmed is the highest count that was sent without an answer since the
	// last acknowledged write.
	maxUnconfirmed int64
	annotations    map[string]string // as they should be on the server
	changed        map[string]string // of them, not acknowledged yet
	continuity     *continuity       // nil if the name of the Event is its own; set before the series is shared
	version        string            // the resourceVersion, if it is no number
	flushes        []flushTarget
	denials        uint8  // answers in a row by which the series is held and then given up
	deniedSince    moment // the first of them
}

var noExtra extra // never changed

// rare returns the state that few series have. The caller must not change it, because most series share noExtra.
func (s *Series) rare() *extra {
	if x := s.extra.Load(); x != nil {
		return x
	}
	return &noExtra
}

// more returns the state that few series have, for a change. It makes that state if the series has none yet.
func (s *Series) more() *extra {
	x := s.extra.Load()
	if x == nil {
		x = &extra{}
		s.extra.Store(x)
	}
	return x
}

// resourceVersion is that of the last acknowledged answer; empty if the sink tells none.
func (s *Series) resourceVersion() string {
	if s.version != 0 {
		return strconv.FormatUint(s.version, 10)
	}
	return s.rare().version
}

func (s *Series) setResourceVersion(version string) {
	s.version = 0
	if version != "" && version[0] != '0' {
		if n, err := strconv.ParseUint(version, 10, 64); err == nil {
			s.version = n
			version = ""
		}
	}
	if s.rare().version != version {
		s.more().version = version
	}
}

// moment is a time in 8 bytes, a third of a [time.Time]: nanoseconds since the epoch of the
// cache, by the monotonic clock if that is known. So a clock that is set moves no deadline.
// What goes on the wire is kept as the time that the clock showed. The zero moment is
// before every other.
type moment int64

// middle lets a moment be 146 years before and after the epoch.
const middle = 1 << 62

// momentOf returns the moment of t.
func momentOf(t, epoch time.Time) moment { return moment(t.Sub(epoch)) + middle }

// IsZero and the others mean what those of [time.Time] mean.
func (m moment) IsZero() bool               { return m == 0 }
func (m moment) Before(other moment) bool   { return m < other }
func (m moment) After(other moment) bool    { return m > other }
func (m moment) Add(d time.Duration) moment { return m + moment(d) }
func (m moment) Sub(o moment) time.Duration { return time.Duration(m - o) }
