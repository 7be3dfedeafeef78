// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"testing"
	"time"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

// The state machine is tested without a cache and without a clock: a series is
// put into a state, and one step of it is looked at.

func seen(n int64, last time.Duration) *Series {
	k := keyOf("web", warning)
	o := &Occurrence{Key: k, Namespace: "default", Name: FixedName("web.1"), At: epoch}
	s := newSeries(o.PackKey(nil), o)
	s.observed, s.last, s.seen = n, after(last), at(last).UnixMicro()
	return s
}

// onServer is a series whose object has count recorded, written at wrote.
func onServer(n, recorded int64, last, wrote time.Duration) *Series {
	s := seen(n, last)
	s.recorded, s.lastWrite, s.exists, s.version = recorded, after(wrote), true, 7
	return s
}

// A hundred thousand series are open in a busy scheduler. One word more in the
// struct takes the next size class, a quarter more.
func TestSeriesIsSmall(t *testing.T) {
	if size := unsafe.Sizeof(Series{}); size > 160 {
		t.Errorf("a series has %d bytes, want at most 160", size)
	}
	o := &Occurrence{Key: keyOf("web", normal), Namespace: "default", Name: FixedName("web.1"), Note: "note", At: epoch}
	if n := testing.AllocsPerRun(100, func() { kept = NewSingle(o) }); n != 2 {
		t.Errorf("%v allocations, want the series and its text", n)
	}
}

var kept *Series // so that it escapes

func TestSeriesWriteAt(t *testing.T) {
	const now, never = 0, time.Duration(-1)
	literal := intervals
	literal.Publish = -1
	forced := onServer(9, 8, 0, 0)
	forced.more().flushes = []flushTarget{{observed: forced.observed}}
	expired := onServer(9, 8, time.Second, time.Second)
	expired.expire()
	for _, row := range []struct {
		name      string
		s         *Series
		intervals *Intervals
		want      time.Duration
	}{
		{"first occurrence", seen(1, 0), &intervals, now},
		{"recorded", onServer(1, 1, 0, 0), &intervals, never},
		{"second occurrence", onServer(2, 1, time.Minute, 0), &intervals, now},
		{"second occurrence, literal KEP-383", onServer(2, 1, time.Minute, 0), &literal, now},
		{"third occurrence waits for the finish", onServer(3, 2, time.Minute, 0), &intervals, 7 * time.Minute},
		{"doubled: published", onServer(4, 2, 5*time.Second, time.Second), &intervals, 11 * time.Second},
		{"doubled later: at once", onServer(4, 2, time.Minute, time.Second), &intervals, 11 * time.Second},
		{"one short of doubled", onServer(7, 4, 5*time.Second, time.Second), &intervals, 6*time.Minute + 5*time.Second},
		{"doubled, without publishing", onServer(400, 2, time.Second, 0), &literal, 6*time.Minute + time.Second},
		{"hot: refreshed", onServer(9, 8, 29*time.Minute, time.Second), &intervals, 30*time.Minute + time.Second},
		{"hot: finish comes first", onServer(9, 8, 20*time.Minute, 0), &intervals, 26 * time.Minute},
		{"flushed", forced, &intervals, now},
		{"expired on the server", expired, &intervals, now},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, ok := row.s.writeAt(row.intervals)
			switch {
			case row.want == never:
				if ok {
					t.Errorf("write at %v, want none", got)
				}
			case row.want == now:
				if !ok || !got.IsZero() {
					t.Errorf("write at %v, %v, want at once", got, ok)
				}
			case !ok || got != after(row.want):
				t.Errorf("write at %v, %v, want %v", got.Sub(after(0)), ok, row.want)
			}
		})
	}
}

func TestSeriesFinishedAndTooOld(t *testing.T) {
	inflight := onServer(2, 1, 0, 0)
	inflight.inFlight = true
	queued := seen(1, 0)
	queued.queued = true
	waiting := onServer(9, 8, 0, 0) // for its finish, not for the server
	for _, row := range []struct {
		name             string
		s                *Series
		now              time.Duration
		finished, tooOld bool
	}{
		{"recorded, before", onServer(1, 1, 0, 0), 6*time.Minute - 1, false, false},
		{"recorded", onServer(1, 1, 0, 0), 6 * time.Minute, true, false},
		{"quiet again", onServer(2, 2, time.Minute, time.Minute), 6 * time.Minute, false, false},
		{"unwritten", queued, 59 * time.Minute, false, false},
		{"unwritten for long", queued, time.Hour, false, true},
		{"in flight", inflight, 2 * time.Hour, false, false},
		{"not tried yet", waiting, 2 * time.Hour, false, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := row.s.finished(after(row.now), &intervals); got != row.finished {
				t.Errorf("finished %v, want %v", got, row.finished)
			}
			if got := row.s.tooOld(after(row.now), &intervals); got != row.tooOld {
				t.Errorf("too old %v, want %v", got, row.tooOld)
			}
		})
	}
}

// lastObservedTime never goes back, although callers read their clocks before
// they get the lock.
func TestSeriesLastObservedTimeNeverGoesBack(t *testing.T) {
	s := seen(1, time.Minute)
	s.observe(&Occurrence{At: at(time.Second)}, after(time.Second), &intervals)
	if got := s.seen - epoch.UnixMicro(); got != time.Minute.Microseconds() || s.last != after(time.Minute) {
		t.Errorf("last after %d µs, want 1m0s", got)
	}
	s.observe(&Occurrence{At: at(2 * time.Minute)}, after(2*time.Minute), &intervals)
	if got := s.seen - epoch.UnixMicro(); got != 2*time.Minute.Microseconds() || s.last != after(2*time.Minute) {
		t.Errorf("last after %d µs, want 2m0s", got)
	}
}

func TestSeriesAcknowledged(t *testing.T) {
	s := onServer(9, 4, 0, 0)
	s.doubts = conflicted
	w := s.next()
	s.observe(&Occurrence{At: at(time.Second)}, after(time.Second), &intervals)
	if got := s.ack(w, request.Verdict{}, "8", after(time.Minute)); got != 5 {
		t.Errorf("%d recorded, want 5", got)
	}
	if s.recorded != 9 || s.unwritten() != 1 || s.lastWrite != after(time.Minute) {
		t.Errorf("recorded %d, unwritten %d, wrote %v", s.recorded, s.unwritten(), s.lastWrite)
	}
	if s.resourceVersion() != "8" || s.doubts != 0 {
		t.Errorf("version %q, doubts %v", s.resourceVersion(), s.doubts)
	}
}

// Recorded is never lowered, also not when the object expired and is written
// anew with the full count.
func TestSeriesExpiredKeepsWhatIsRecorded(t *testing.T) {
	s := onServer(9, 4, 0, 0)
	s.expire()
	w := s.next()
	if w.Op != request.Create || w.Count != 9 || w.Event.Series.Count != 9 || w.Event.Name != "web.1" {
		t.Errorf("%+v, want the same Event with the full count", w)
	}
	if got := s.ack(w, request.Verdict{}, "", after(0)); got != 5 {
		t.Errorf("%d recorded, want the 5 that were not", got)
	}
}

// After an ambiguous Create only its identical repeat makes both 201 and 409
// mean "this count is stored". A patch says the newest count always.
func TestSeriesOnlyAmbiguousCreatesFreeze(t *testing.T) {
	for _, row := range []struct {
		name      string
		s         *Series
		ambiguous bool
		frozen    bool
	}{
		{"create, ambiguous", seen(1, 0), true, true},
		{"create, refused", seen(1, 0), false, false},
		{"patch, ambiguous", onServer(2, 1, 0, 0), true, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := row.s.next()
			row.s.fail(w, row.ambiguous)
			row.s.fail(w, false) // a later definite failure says nothing about the first attempt
			row.s.observe(&Occurrence{At: at(time.Second)}, after(time.Second), &intervals)
			again := row.s.next()
			if got := again == w; got != row.frozen {
				t.Errorf("the same write again: %v, want %v", got, row.frozen)
			}
			if !row.frozen && again.Count != w.Count+1 {
				t.Errorf("count %d, want the newest", again.Count)
			}
			row.s.ack(again, request.Verdict{}, "", after(0))
			if row.s.write != nil || row.s.rare().maxUnconfirmed != 0 {
				t.Error("an acknowledged write is still held to be ambiguous")
			}
		})
	}
}

// I3: a patch without a resourceVersion could come late and lower the count, so
// that after a conflict the object is looked at first.
func TestSeriesLooksAfterAConflict(t *testing.T) {
	s := onServer(3, 1, 0, 0)
	lost := s.next()
	s.fail(lost, true)
	s.conflict(after(0))
	look := s.next()
	if !look.ReadVersion || look.Op != request.Patch || look.Event.Series != nil || look.Count != s.recorded {
		t.Errorf("%+v, want a look", look)
	}
	s.fail(look, true)
	if s.rare().maxUnconfirmed != lost.Count {
		t.Errorf("%d may be on the server, want the %d that were sent before the look", s.rare().maxUnconfirmed, lost.Count)
	}
	s.ackVersion("9")
	w := s.next()
	if w.ReadVersion || w.Unconditional || version(w) != "9" {
		t.Errorf("%+v, want a patch of version 9", w)
	}
	s.ack(w, request.Verdict{}, "10", after(0))
	s.observe(&Occurrence{At: at(time.Second)}, after(time.Second), &intervals)
	if w := s.next(); w.ReadVersion {
		t.Errorf("%+v once the conflict is over", w)
	}
}

// A sink that tells no version leaves nothing to be conditional on.
func TestSeriesWithoutVersionIsUnconditional(t *testing.T) {
	s := onServer(2, 1, 0, 0)
	s.version = 0
	if !s.next().Unconditional {
		t.Error("it claims to be conditional")
	}
}

func TestSeriesGiveUp(t *testing.T) {
	type outcome struct{ Dropped, Unconfirmed int64 }
	for _, row := range []struct {
		name string
		s    func() *Series
		want outcome
	}{
		{"never sent", func() *Series { return seen(5, 0) }, outcome{5, 0}},
		{"refused", func() *Series {
			s := seen(5, 0)
			s.fail(s.next(), false)
			return s
		}, outcome{5, 0}},
		{"create lost", func() *Series {
			s := seen(1, 0)
			s.fail(s.next(), true)
			s.observe(&Occurrence{At: at(0)}, after(0), &intervals)
			return s
		}, outcome{2, 1}},
		{"patch lost", func() *Series {
			s := onServer(5, 2, 0, 0)
			s.fail(s.next(), true)
			s.observe(&Occurrence{At: at(0)}, after(0), &intervals)
			return s
		}, outcome{4, 3}},
		{"in flight", func() *Series {
			s := onServer(5, 2, 0, 0)
			s.write = &Write{Count: 4}
			return s
		}, outcome{3, 2}},
		{"lost before it was recorded", func() *Series {
			s := onServer(5, 2, 0, 0)
			lost := s.next()
			s.fail(lost, true)
			s.observe(&Occurrence{At: at(0)}, after(0), &intervals)
			s.ack(s.next(), request.Verdict{}, "8", after(0))
			s.observe(&Occurrence{At: at(0)}, after(0), &intervals)
			return s
		}, outcome{1, 0}},
		{"nothing unwritten", func() *Series { return onServer(5, 5, 0, 0) }, outcome{}},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := row.s()
			dropped, unconfirmed := s.dropUnwritten()
			if diff := cmp.Diff(row.want, outcome{dropped, unconfirmed}); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if s.unwritten() != 0 || s.write != nil {
				t.Errorf("%d unwritten after dropUnwritten", s.unwritten())
			}
			if dropped, unconfirmed := s.dropUnwritten(); dropped != 0 || unconfirmed != 0 {
				t.Errorf("dropped twice: %d, %d", dropped, unconfirmed)
			}
		})
	}
}

func TestRefusedSeriesOnlyCounts(t *testing.T) {
	s := seen(2, 0)
	s.dropUnwritten()
	s.refuse(stats.Rejected, after(time.Second))
	s.observe(&Occurrence{At: at(time.Minute), Annotations: map[string]string{"a": "b"}, Note: "n", LatestNote: true}, after(time.Minute), &intervals)
	if s.unwritten() != 0 || s.observed != 3 || s.rare().dropped != 3 || s.rare().annotations != nil {
		t.Errorf("%+v", s)
	}
	if _, ok := s.writeAt(&intervals); ok {
		t.Error("it wants to be written")
	}
	if s.finished(after(6*time.Minute), &intervals) || !s.finished(after(7*time.Minute), &intervals) {
		t.Error("it is finished 6 minutes after the last occurrence, not before")
	}
}
