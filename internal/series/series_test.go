// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"testing"
	"time"

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

var kept *Series // so that it escapes

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

// What a series waits for, and until when. KEP-383 alone is a negative publish interval.
func TestWaitsFor(t *testing.T) {
	refused := seen(3, 0)
	refused.refuse(stats.Rejected, after(time.Second))
	refused.dropUnwritten()
	twice := seen(3, 0)
	twice.refuse(stats.Rejected, after(0))
	twice.refuse(stats.Rejected, after(time.Second))
	twice.dropUnwritten()
	held := onServer(9, 8, 0, 0)
	held.hold(after(time.Second))
	held.hold(after(time.Minute))
	queued, flying := onServer(9, 8, 0, 0), onServer(9, 8, 0, 0)
	queued.queued, flying.inFlight = true, true
	forced := onServer(9, 8, 0, 0)
	forced.more().flushes = []flushTarget{{observed: forced.observed}}
	expired := onServer(9, 8, time.Second, time.Second)
	expired.expire()
	literal := intervals
	literal.Publish = -1
	for name, row := range map[string]struct {
		s     *Series
		want  string
		until time.Duration // -1: no time
	}{
		"recorded":       {onServer(8, 8, 0, 0), ForNothing, -1},
		"in flight":      {flying, ForAnswer, -1},
		"queued":         {queued, ForTurn, -1},
		"due":            {seen(1, 0), ForTurn, -1},
		"flushed":        {forced, ForTurn, -1},
		"expired":        {expired, ForTurn, -1},
		"second":         {onServer(2, 1, time.Minute, 0), ForTurn, -1},
		"third":          {onServer(3, 2, time.Minute, 0), ForInterval, 7 * time.Minute},
		"nearly doubled": {onServer(7, 4, 5*time.Second, time.Second), ForInterval, 6*time.Minute + 5*time.Second},
		"held twice":     {held, ForEvent, time.Minute + 2*firstHold},
		"doubled":        {onServer(16, 8, 5*time.Second, time.Second), ForInterval, 11 * time.Second},
		"quiet":          {onServer(9, 8, time.Minute, 0), ForInterval, 7 * time.Minute},
		"hot":            {onServer(9, 8, 29*time.Minute, time.Second), ForInterval, 30*time.Minute + time.Second},
		"refused":        {refused, ForEvent, time.Second + firstRetry},
		"refused, twice": {twice, ForEvent, time.Second + 2*firstRetry},
	} {
		t.Run(name, func(t *testing.T) {
			var want moment
			if row.until >= 0 {
				want = after(row.until)
			}
			if got, until := row.s.waitsFor(&intervals); got != row.want || until != want {
				t.Errorf("waits for %q until %v, want %q until %v", got, until, row.want, want)
			}
		})
	}
	if _, until := onServer(400, 2, time.Second, 0).waitsFor(&literal); until != after(6*time.Minute+time.Second) {
		t.Errorf("without publishing it waits until %v, want the finish", until)
	}
}

// A series is two allocations: itself and its texts.
func TestI5SeriesAllocates(t *testing.T) {
	o := &Occurrence{Key: keyOf("web", normal), Namespace: "default", Name: FixedName("web.1"), Note: "note", At: epoch}
	if n := testing.AllocsPerRun(100, func() { kept = NewSingle(o) }); n != 2 {
		t.Errorf("%v allocations", n)
	}
}
