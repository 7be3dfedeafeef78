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

// Delta is the number of occurrences that one reading of an Event adds to all earlier readings.
type Delta struct {
	// New is the number of occurrences since the tracker began that no earlier reading has
	// reported. Occurrences that the API server had already stored when the tracker began are not
	// new, even if the clock of the writer is ahead.
	New int64
	// Earlier is the number of occurrences that happened before the tracker began, or before it
	// forgot the series. The first reading of a series, or the first one after the series was
	// forgotten, reports them.
	Earlier int64
}

// Tracker computes how many occurrences each reading of an Event adds to the earlier readings. Make
// one with [NewTracker]. A Tracker is not safe for concurrent use.
//
// It remembers the highest count of each series. A series is identified by the namespace and the
// name of its Event, and by the second of its first occurrence. If several processes count in the
// Event, each share is a series, identified by the ID of the process. So only new occurrences are
// added if an Event is read twice, if it expired and was created again with its old count, or if
// another process counts in it. A delta is never negative.
//
// A Tracker misses the occurrences of an Event that was created or continued and then expired
// between two readings. If somebody lowers the count of an Event, the Tracker also misses the next
// occurrences of the Event, until the count exceeds the highest count that was read.
//
// A Tracker needs about 70 bytes for each series. It remembers at most [DefaultSeries] series,
// unless NewTracker was given another limit. When this limit is exceeded, it forgets the half of
// the series that has been quiet the longest. When a forgotten series continues, the Delta of its
// next reading has 1 in New and all other occurrences of the series in Earlier.
type Tracker struct {
	// max is the maximum number of series that the tracker remembers.
	max int
	// known maps each series to the highest count that was read for it.
	known map[seriesID]reading
	// began separates new occurrences from old ones: if an unknown series began before this time,
	// either the series is older than the tracker, or the tracker has forgotten the series.
	began time.Time
	// newest is the latest start time of all series that the tracker has ever read. It is not in
	// the future, even if the clock of a writer is wrong, because Event.began is never later than
	// Event.Created.
	newest time.Time
	position
}

// position is the point up to which a watch has read.
type position struct {
	// version is the resourceVersion from which the next watch continues. It is empty if the reader
	// has to list the Events before the next watch.
	version string
	// listed is true once a first list has been read to its end.
	listed bool
}

// reading is the newest state that was read of a series.
type reading struct {
	count int64
	// last is the time of the newest occurrence, in nanoseconds since 1970.
	last int64
}

// DefaultSeries is the number of series that a [Tracker] remembers by default.
const DefaultSeries = 1 << 20

// clockSkew is the time by which the clocks of the reader, of the API server and of the writers may
// differ.
const clockSkew = time.Minute

// NewTracker returns a tracker that begins at the time now and remembers at most maxSeries series.
// If maxSeries is less than 1, the limit is [DefaultSeries].
func NewTracker(now time.Time, maxSeries int) *Tracker {
	if maxSeries < 1 {
		maxSeries = DefaultSeries
	}
	return &Tracker{
		max:   maxSeries,
		known: map[seriesID]reading{},
		began: now,
	}
}

// Seed records an Event from the first list, and returns the occurrences that it adds. If the
// series was never read before, all of its occurrences are in Earlier, unless the series began more
// than a minute after the tracker. [Watch] calls Seed itself. With an informer, call Seed for each
// object that is passed to OnAdd with isInInitialList set to true.
func (t *Tracker) Seed(e *Event) Delta { return t.note(e, true) }

// Observe records an Event that was read after the first list, and returns the occurrences that it
// adds. Events may be observed in any order and more than once.
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
		d = Delta{Earlier: d.New}
	case began.Before(t.began.Add(-clockSkew)):
		// Either the series is old and was not in the first list, or it was forgotten. It is read
		// now because its Event has changed, so one occurrence is new.
		d = Delta{New: 1, Earlier: d.New - 1}
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

// part is a count that the tracker remembers separately: the count of an Event, or of one share in
// it.
type part struct {
	id    seriesID
	count int64
}

// partsOf returns a part for each share of an Event, or one part for the whole Event if it has no
// shares or if their sum is not its count. Each share is a separate part for this reason: when the
// Event has expired, one of the processes creates it again, with a different first time and with
// only the share of this process.
func partsOf(e *Event) (parts []part) {
	var sum int64
	for _, s := range e.Shares {
		sum += s.Count
		parts = append(parts, part{idOf(e, "share", s.ID), s.Count})
	}
	if sum == e.Count {
		return parts
	}
	// The time is cut to the second. Otherwise, the series of a writer that moves eventTime would
	// change its identity: First has microseconds at the first reading, and later it comes from
	// firstTimestamp.
	second := nanos(e.First.Truncate(time.Second))
	return []part{{idOf(e, "first", strconv.FormatInt(second, 10)), e.Count}}
}

// forget drops the half of the known series that has been quiet the longest.
func (t *Tracker) forget() {
	lasts := make([]int64, 0, len(t.known))
	for _, r := range t.known {
		lasts = append(lasts, r.last)
	}
	slices.Sort(lasts)
	half := (len(lasts) + 1) / 2
	median := lasts[half-1]
	quieter, _ := slices.BinarySearch(lasts, median)
	// left is the number of series to drop among the series whose last time is the median. There
	// may be many such series.
	left := half - quieter
	maps.DeleteFunc(t.known, func(_ seriesID, r reading) bool {
		if r.last == median && left > 0 {
			left--
			return true
		}
		return r.last < median
	})
	// From now on, an unknown series is considered forgotten if it began before t.began. Each
	// forgotten series began before the median of the last times, and not after the series that
	// began last. The second bound matters if the clock of a writer is ahead: its last times are in
	// the future, and all series that begin until then would be considered forgotten.
	began := time.Unix(0, median)
	if youngest := t.newest.Add(clockSkew); youngest.Before(began) {
		began = youngest
	}
	// A second is added because some times are cut to the second.
	t.began = latest(t.began, began.Add(clockSkew+time.Second))
}

// seriesID is a hash of the texts that identify a series. The hash is cryptographic, because
// everybody who is allowed to write Events can choose their names, and could make two series
// collide if the hash were weak.
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

// nanos returns a time in nanoseconds since 1970. It returns the lowest or the highest number for
// times that are out of range, so that the order of times is kept.
func nanos(t time.Time) int64 {
	switch {
	case t.Before(time.Unix(0, math.MinInt64)):
		return math.MinInt64
	case t.After(time.Unix(0, math.MaxInt64)):
		return math.MaxInt64
	}
	return t.UnixNano()
}

// checkpointFormat is the first byte of a checkpoint. It changes whenever the format of checkpoints
// changes.
const checkpointFormat = 2

var errCheckpoint = errors.New(
	"eventview: this is no checkpoint of a Tracker, or a part of one; begin with a new Tracker")

// MarshalBinary returns a checkpoint of the tracker: 32 bytes for each series, and the position
// from which [Watch] continues. The error is always nil. It implements [encoding.BinaryMarshaler].
//
// A reader that stores the checkpoint together with its own results, in one transaction, and that
// restores both after a restart, counts nothing twice.
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

// UnmarshalBinary restores a checkpoint of [Tracker.MarshalBinary]. The checkpoint replaces
// everything in the tracker except the limit of series. After an error the tracker is unchanged.
// UnmarshalBinary implements [encoding.BinaryUnmarshaler].
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
