// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventview_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/eventview"
)

// read returns a reading of an Event whose series began at the minute first.
func read(name string, first, last float64, count int64) *eventview.Event {
	return &eventview.Event{Namespace: "default", Name: name, First: at(first), Last: at(last), Count: count}
}

// created sets the minute at which the API server stored the Event, by the clock of the server.
func created(minute float64, e *eventview.Event) *eventview.Event {
	e.Created = at(minute)
	return e
}

// shared returns an Event in which processes count, with the share of each.
func shared(first, last float64, counts ...int64) *eventview.Event {
	e := read("shared", first, last, 0)
	for i, count := range counts {
		if count > 0 {
			e.Count += count
			e.Shares = append(e.Shares, eventview.Share{Instance: "a", ID: fmt.Sprint(i), Count: count})
		}
	}
	return e
}

func TestTracker(t *testing.T) {
	type step struct {
		seed  bool
		event *eventview.Event
		want  eventview.Delta
	}
	for name, steps := range map[string][]step{
		"it grows": {
			{event: read("a", 1, 1, 1), want: eventview.Delta{New: 1}},
			{event: read("a", 1, 2, 2), want: eventview.Delta{New: 1}},
			{event: read("a", 1, 9, 70), want: eventview.Delta{New: 68}},
		},
		"it is read twice, and late": {
			{event: read("a", 1, 2, 5), want: eventview.Delta{New: 5}},
			{event: read("a", 1, 2, 5)},
			{event: read("a", 1, 1, 2)},
			{event: read("a", 1, 3, 6), want: eventview.Delta{New: 1}},
		},
		"it was there before, and goes on": {
			{seed: true, event: read("a", -90, -1, 40), want: eventview.Delta{Earlier: 40}},
			{event: read("a", -90, 2, 43), want: eventview.Delta{New: 3}},
		},
		"it expired before, and is made again with all that it counts": {
			{event: read("a", -90, 2, 43), want: eventview.Delta{New: 1, Earlier: 42}},
		},
		"a new series under the name of one that expired": {
			{event: read("a", 1, 2, 5), want: eventview.Delta{New: 5}},
			{event: read("a", 70, 71, 3), want: eventview.Delta{New: 3}},
			{event: read("a", 1, 2, 5)},
		},
		"two writers with Events of their own": {
			{event: read("a", 1, 2, 5), want: eventview.Delta{New: 5}},
			{event: read("b", 1, 2, 5), want: eventview.Delta{New: 5}},
		},
		"processes share an Event, which one of them makes again": {
			{event: shared(1, 1, 3), want: eventview.Delta{New: 3}},
			{event: shared(1, 2, 3, 2), want: eventview.Delta{New: 2}},
			{event: shared(2, 3, 0, 3), want: eventview.Delta{New: 1}},
			{event: shared(2, 4, 0, 3, 1), want: eventview.Delta{New: 1}},
			{event: shared(1, 1, 3)},
		},
		"a share is new in an Event that began before": {
			{event: shared(-90, 1, 3), want: eventview.Delta{New: 1, Earlier: 2}},
			{event: shared(-90, 2, 3, 2), want: eventview.Delta{New: 2}},
		},
		"shares that do not add up": {
			{event: &eventview.Event{First: at(1), Count: 5, Shares: shared(1, 1, 9).Shares}, want: eventview.Delta{New: 5}},
			{event: &eventview.Event{First: at(1), Count: 6, Shares: shared(1, 1, 3).Shares}, want: eventview.Delta{New: 1}},
		},
		"clocks differ by less than a minute": {
			{event: read("a", -0.9, -0.9, 2), want: eventview.Delta{New: 2}},
			{seed: true, event: read("b", 0.9, 0.9, 2), want: eventview.Delta{Earlier: 2}},
		},
		"a clock that is an hour ahead, at a start": {
			{seed: true, event: created(-5, read("a", 55, 58, 40)), want: eventview.Delta{Earlier: 40}},
			{seed: true, event: created(5, read("b", 65, 66, 3)), want: eventview.Delta{New: 3}},
			{event: created(-5, read("a", 55, 63, 42)), want: eventview.Delta{New: 2}},
			{event: created(-5, read("c", 55, 63, 30)), want: eventview.Delta{New: 1, Earlier: 29}},
			{event: created(9, read("d", 69, 69, 2)), want: eventview.Delta{New: 2}},
		},
		"made again after the tracker began, with all that it counts": {
			{event: created(5, read("a", -90, 5, 43)), want: eventview.Delta{New: 1, Earlier: 42}},
		},
		"it goes on before the first list is complete": {
			{seed: true, event: created(-5, read("a", -5, -1, 4)), want: eventview.Delta{Earlier: 4}},
			{seed: true, event: created(-5, read("a", -5, 30, 10)), want: eventview.Delta{New: 6}},
		},
		"a second list, of what was made since the first": {
			{seed: true, event: read("a", -5, -1, 4), want: eventview.Delta{Earlier: 4}},
			{seed: true, event: read("b", 5, 6, 3), want: eventview.Delta{New: 3}},
			{seed: true, event: read("a", -5, -1, 4)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			tracker := eventview.NewTracker(noon, 0)
			for i, step := range steps {
				note := tracker.Observe
				if step.seed {
					note = tracker.Seed
				}
				if got := note(step.event); got != step.want {
					t.Errorf("step %d: %+v, want %+v", i, got, step.want)
				}
				tracker = restored(t, tracker)
			}
		})
	}
}

// Caught: a tracker that took each occurrence for a series of its own, so that ten of them were 55;
// one that counted 11, because the second reading has lost the microseconds of the first time.
func TestTrackerOfAWriterThatMovesEventTime(t *testing.T) {
	tracker := eventview.NewTracker(noon, 0)
	var sum eventview.Delta
	for n := range 10 {
		now := at(1.005 + float64(n))
		e := eventview.FromCoreV1(&corev1.Event{
			ObjectMeta:     metav1.ObjectMeta{Namespace: "default", Name: "web"},
			EventTime:      metav1.NewMicroTime(now),
			FirstTimestamp: second(1.005),
			LastTimestamp:  metav1.NewTime(now.Truncate(time.Second)),
			Count:          int32(n + 1),
		})
		d := tracker.Observe(&e)
		sum.New += d.New
		sum.Earlier += d.Earlier
	}
	if want := (eventview.Delta{New: 10}); sum != want {
		t.Errorf("ten occurrences add up to %+v, want %+v", sum, want)
	}
}

// restored returns a copy of the tracker, made through a checkpoint, as after a restart of the
// reader.
func restored(t *testing.T, tracker *eventview.Tracker) *eventview.Tracker {
	return withRoomFor(t, tracker, 0)
}

// withRoomFor is restored with a limit of series.
func withRoomFor(t *testing.T, tracker *eventview.Tracker, series int) *eventview.Tracker {
	data, err := tracker.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	again := eventview.NewTracker(time.Now(), series)
	if err := again.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	return again
}

// The sum of New is the number of counted occurrences, in whatever order and however often Events
// are read, and however often the reader restarts.
func TestTrackerAddsUp(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 1))
		tracker := eventview.NewTracker(noon, 0)
		counts, sum := map[string]int64{}, int64(0)
		var readings []*eventview.Event
		for range 300 {
			name := fmt.Sprint(r.IntN(20))
			counts[name] += r.Int64N(5) + 1
			readings = append(readings, read(name, 1, 2, counts[name]))
			for range r.IntN(3) { // delayed, repeated, or skipped
				sum += tracker.Observe(readings[r.IntN(len(readings))]).New
			}
			if r.IntN(50) == 0 {
				tracker = restored(t, tracker)
			}
		}
		want := int64(0)
		for name, count := range counts {
			sum += tracker.Observe(read(name, 1, 2, count)).New
			want += count
		}
		if sum != want {
			t.Errorf("seed %d: %d new, want %d", seed, sum, want)
		}
	}
}

// Caught: minus one from before the tracker began.
func TestTrackerAddsNothingForAnEventWithoutACount(t *testing.T) {
	tracker := eventview.NewTracker(noon, 0)
	if d := tracker.Observe(&eventview.Event{}); d != (eventview.Delta{}) {
		t.Errorf("%+v of an Event without a count", d)
	}
}

// A full tracker forgets the half of its series that has been quiet for longest. Occurrences of a
// forgotten series are not counted as new again. Caught: a tracker that forgot a random half.
func TestTrackerForgets(t *testing.T) {
	tracker := eventview.NewTracker(noon, 100)
	for i := range 101 { // one too many
		tracker.Observe(read(fmt.Sprint(i), 1, float64(10+i), 1000))
	}
	data, err := tracker.MarshalBinary()
	if err != nil || len(data) > 100+51*32 {
		t.Errorf("%d bytes, %v; want those of 51 series", len(data), err)
	}
	got := []eventview.Delta{
		tracker.Observe(read("0", 1, 200, 1003)),   // forgotten
		tracker.Observe(read("49", 1, 200, 1003)),  // forgotten
		tracker.Observe(read("50", 1, 200, 1003)),  // known
		tracker.Observe(read("new", 150, 200, 30)), // never seen
	}
	want := []eventview.Delta{{New: 1, Earlier: 1002}, {New: 1, Earlier: 1002}, {New: 3}, {New: 30}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("deltas (-want +got):\n%s", diff)
	}
}

// Caught: a tracker that, after it had forgotten some series, took every new series for an old one
// until the time of a writer whose clock is ahead.
func TestTrackerForgetsWhatIsAhead(t *testing.T) {
	tracker := eventview.NewTracker(noon, 100)
	for i := range 100 {
		minute := float64(i) / 10
		tracker.Observe(created(minute, read(fmt.Sprint(i), 600+minute, 600+minute, 5)))
	}
	tracker = withRoomFor(t, tracker, 100)
	tracker.Observe(created(11, read("one too many", 611, 611, 1)))
	got := []eventview.Delta{
		tracker.Observe(created(0, read("0", 600, 700, 8))), // forgotten
		tracker.Observe(created(14, read("young", 14, 14, 3))),
		tracker.Observe(created(15, read("young, of the writer", 615, 615, 3))),
	}
	want := []eventview.Delta{{New: 1, Earlier: 7}, {New: 3}, {New: 3}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("deltas (-want +got):\n%s", diff)
	}
}

// A tracker does not forget the shares of an Event while it reads that Event.
func TestTrackerForgetsShares(t *testing.T) {
	tracker := eventview.NewTracker(noon, 2)
	e := shared(1, 2, 3, 4, 5)
	for i, want := range []int64{12, 0, 0} {
		if d := tracker.Observe(e); d.New != want {
			t.Errorf("reading %d: %+v, want %d new", i, d, want)
		}
	}
}

// The limit holds even if all series have been quiet for equally long.
func TestTrackerForgetsEquals(t *testing.T) {
	tracker := eventview.NewTracker(noon, 10)
	for i := range 1000 {
		tracker.Observe(read(fmt.Sprint(i), 1, 1, 1))
	}
	if data, err := tracker.MarshalBinary(); err != nil || len(data) > 100+10*32 {
		t.Errorf("%d bytes, %v; want those of 10 series at most", len(data), err)
	}
}

func FuzzCheckpoint(f *testing.F) {
	tracker := eventview.NewTracker(noon, 0)
	tracker.Observe(read("a", 1, 2, 3))
	data, err := tracker.MarshalBinary()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(data[:len(data)-1])
	f.Add([]byte{2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		tracker := eventview.NewTracker(noon, 0)
		if err := tracker.UnmarshalBinary(data); err != nil {
			if d := tracker.Observe(read("a", 1, 2, 3)); d.New != 3 {
				t.Errorf("after an error %+v, want a tracker as before", d)
			}
			return
		}
		restored(t, tracker)
	})
}
