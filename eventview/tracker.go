// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventview

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"
)

// Delta is how many occurrences a reading of an Event adds to all readings before it.
type Delta struct {
	// New are occurrences since the tracker began that no reading has told before. An Event that the
	// API server had by then is from before, also if the clock of its writer is ahead.
	New int64
	// Before are occurrences from before the tracker began, or from before it forgot the
	// series. They come once, with the first reading.
	Before int64
}

// Tracker tells how many occurrences each reading of an Event adds. It knows a series by the
// namespace and name of its Event and by the second of its first occurrence, or by the shares
// of an Event that has some. So an Event that expired and was made again with the count that
// it had, one that another process counts in, and one that is read twice add what is new, and
// nothing else. A delta is never negative.
//
// A Tracker needs about 70 bytes for each series or share. It knows [DefaultSeries] of them, or as many
// as NewTracker was told. When it knows more, it forgets the half that has been quiet for
// longest. What a forgotten series counts when it goes on is Before, but for one.
//
// An Event that was made, or went on, and expired between two readings is not seen. If
// somebody lowers the count of an Event, what follows is New when it is above the highest
// count that was read.
//
// A Tracker is not safe for concurrent use. Make one with [NewTracker].
type Tracker struct {
	max   int
	known map[seriesID]reading
	began time.Time // a series that is unknown and began before that is older than the tracker
	// newest is when the youngest series began that was ever known. By Event.Created it is not in the future,
	// whatever the clocks of writers say.
	newest time.Time
	position
}

// position is how far a watch has read.
type position struct {
	version string // from which it goes on, empty if there has to be a list first
	listed  bool   // all that was there in the beginning was read
}

// reading is what was last read of a series.
type reading struct {
	count int64
	last  int64 // Unix nanoseconds
}

// DefaultSeries is how many series a [Tracker] knows by default.
const DefaultSeries = 1 << 20

// clockSkew is how far the clocks of the reader, of the API server and of those who write may differ.
const clockSkew = time.Minute

// NewTracker returns a tracker that begins now and knows series series, [DefaultSeries] if
// that is less than 1.
func NewTracker(now time.Time, series int) *Tracker {
	if series < 1 {
		series = DefaultSeries
	}
	return &Tracker{
		max:   series,
		known: map[seriesID]reading{},
		began: now,
	}
}

// Seed notes an Event of the first list. What it counts is Before, unless it began after the
// tracker, or was read before. [Watch] calls Seed by itself; with an informer it is for what
// OnAdd has from the initial list.
func (t *Tracker) Seed(e *Event) Delta { return t.note(e, true) }

// Observe notes an Event that was read, in whatever order, and returns what it adds.
func (t *Tracker) Observe(e *Event) Delta { return t.note(e, false) }

func (t *Tracker) note(e *Event, seed bool) (d Delta) {
	parts := partsOf(e)
	unknown := 0
	for _, p := range parts {
		old, ok := t.known[p.id]
		if !ok {
			unknown++
		}
		d.New += max(p.count-old.count, 0)
	}
	switch began := e.began(); {
	case unknown < len(parts), d.New == 0:
	case seed && began.Before(t.began.Add(clockSkew)):
		d = Delta{Before: d.New}
	case began.Before(t.began.Add(-clockSkew)):
		// Of an unknown series something has changed, or it would not be read.
		d = Delta{New: 1, Before: d.New - 1}
	}
	if unknown > 0 && len(t.known) > 0 && len(t.known)+unknown > t.max {
		t.forget()
	}
	for _, p := range parts {
		old := t.known[p.id]
		t.known[p.id] = reading{count: max(p.count, old.count), last: max(nanos(e.Last), old.last)}
	}
	t.newest = latest(t.newest, e.began())
	return d
}

// part is what is counted by itself.
type part struct {
	id    seriesID
	count int64
}

// partsOf returns the shares of an Event, or the Event if they do not add up. When an Event that several processes
// count in has expired, one of them makes it again, with its own share and its own first time.
func partsOf(e *Event) (parts []part) {
	var sum int64
	for _, s := range e.Shares {
		sum += s.Count
		parts = append(parts, part{idOf(e, "share", s.ID), s.Count})
	}
	if sum == e.Count {
		return parts
	}
	// A writer that moves eventTime leaves the microseconds of the first occurrence, and later only its second.
	second := nanos(e.First.Truncate(time.Second))
	return []part{{idOf(e, "first", strconv.FormatInt(second, 10)), e.Count}}
}

// forget drops the half that has been quiet for longest.
func (t *Tracker) forget() {
	lasts := make([]int64, 0, len(t.known))
	for _, r := range t.known {
		lasts = append(lasts, r.last)
	}
	slices.Sort(lasts)
	half := (len(lasts) + 1) / 2
	median := lasts[half-1]
	quieter, _ := slices.BinarySearch(lasts, median)
	left := half - quieter // of those at the median, which may be all of them
	maps.DeleteFunc(t.known, func(_ seriesID, r reading) bool {
		if r.last == median && left > 0 {
			left--
			return true
		}
		return r.last < median
	})
	// What is forgotten began before its last occurrence, and before the youngest. The last occurrences of a writer
	// whose clock is ahead are in the future, and what begins until then would be taken for what was forgotten.
	began := time.Unix(0, median)
	if youngest := t.newest.Add(clockSkew); youngest.Before(began) {
		began = youngest
	}
	t.began = latest(t.began, began.Add(clockSkew+time.Second)) // some times are cut to the second
}

// seriesID is a hash of what identifies a series. It is a cryptographic one, because who may
// write Events chooses their names.
type seriesID [16]byte

func idOf(e *Event, kind, key string) (id seriesID) {
	text := make([]byte, 0, 256)
	for _, s := range []string{e.Namespace, e.Name, kind, key} {
		text = append(append(text, s...), 0)
	}
	sum := sha256.Sum256(text)
	copy(id[:], sum[:])
	return id
}

// nanos is a time as a number that keeps the order, also for times that no clock has.
func nanos(t time.Time) int64 {
	switch {
	case t.Before(time.Unix(0, math.MinInt64)):
		return math.MinInt64
	case t.After(time.Unix(0, math.MaxInt64)):
		return math.MaxInt64
	}
	return t.UnixNano()
}

// checkpointFormat is the first byte of a checkpoint.
const checkpointFormat = 2

var errCheckpoint = errors.New(
	"eventview: this is no checkpoint of a Tracker, or a part of one; begin with a new Tracker")

// MarshalBinary implements [encoding.BinaryMarshaler]. The result is a checkpoint: 32 bytes for
// each series, and where a watch goes on. A reader that stores it together with what it has made
// of the Events, and begins again with [Tracker.UnmarshalBinary], counts nothing twice.
func (t *Tracker) MarshalBinary() ([]byte, error) {
	b := make([]byte, 0, 64+len(t.known)*32)
	b = append(b, checkpointFormat, 0)
	if t.listed {
		b[1] = 1
	}
	b = binary.BigEndian.AppendUint64(b, uint64(nanos(t.began)))
	b = binary.BigEndian.AppendUint64(b, uint64(nanos(t.newest)))
	b = binary.AppendUvarint(b, uint64(len(t.version)))
	b = append(b, t.version...)
	b = binary.AppendUvarint(b, uint64(len(t.known)))
	for id, r := range t.known {
		b = append(b, id[:]...)
		b = binary.BigEndian.AppendUint64(b, uint64(r.count))
		b = binary.BigEndian.AppendUint64(b, uint64(r.last))
	}
	return b, nil
}

// UnmarshalBinary implements [encoding.BinaryUnmarshaler]. It replaces all that the tracker
// knows but for the number of series that it may know.
func (t *Tracker) UnmarshalBinary(b []byte) error {
	if len(b) < 18 || b[0] != checkpointFormat {
		return errCheckpoint
	}
	listed := b[1] == 1
	began := time.Unix(0, int64(binary.BigEndian.Uint64(b[2:])))
	newest := time.Unix(0, int64(binary.BigEndian.Uint64(b[10:])))
	length, n := binary.Uvarint(b[18:])
	b = b[18+max(n, 0):]
	if n <= 0 || length > uint64(len(b)) {
		return errCheckpoint
	}
	version := string(b[:length])
	b = b[length:]
	entries, n := binary.Uvarint(b)
	b = b[max(n, 0):]
	if n <= 0 || entries > uint64(len(b))/32 || entries*32 != uint64(len(b)) {
		return errCheckpoint
	}
	known := make(map[seriesID]reading, entries)
	for ; len(b) > 0; b = b[32:] {
		known[seriesID(b[:16])] = reading{
			count: int64(binary.BigEndian.Uint64(b[16:])), last: int64(binary.BigEndian.Uint64(b[24:])),
		}
	}
	t.known = known
	t.began = began
	t.newest = newest
	t.position = position{version, listed}
	return nil
}
