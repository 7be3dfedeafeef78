// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package world

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestShown: a write shows the latest of what had occurred when it was made.
// Caught: the oldest taken for the counted ones; occurrences after the write; a
// count that fell taken for more when it rises.
func TestShown(t *testing.T) {
	type arrival struct {
		count int64
		last  int // second of the last occurrence that it knows
		at    int // second
	}
	tests := []struct {
		name    string
		writes  []arrival
		want    []time.Duration // delays
		waiting int
	}{
		{"each at once", []arrival{{1, 1, 1}, {2, 2, 2}, {3, 3, 3}}, seconds(0, 0, 0), 3},
		{"together, later", []arrival{{4, 4, 7}}, seconds(6, 5, 4, 3), 2},
		{"one of four counted", []arrival{{1, 4, 7}}, seconds(3), 2},
		{"two of four, then all that is left", []arrival{{2, 4, 7}, {4, 6, 8}}, seconds(4, 3, 3, 2), 0},
		{"a count that falls and rises", []arrival{{3, 3, 7}, {2, 2, 7}, {3, 4, 7}, {4, 4, 8}}, seconds(6, 5, 4, 4), 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				api := NewAPI(Settings{})
				s := api.NewComponent(silent, Identity{}).NewSeries(warning(1))
				second := func(n int) time.Time { return api.Began().Add(time.Duration(n) * time.Second) }
				var script Script
				for n := 1; n <= 6; n++ {
					script.Add(second(n), func(time.Time) (never time.Time) { s.Occur("again"); return })
				}
				script.Play(second(7))
				var want, zero Delays
				var before int64
				for _, w := range test.writes {
					s.show(w.count-before, write{last: second(w.last), at: second(w.at)}, before == 0)
					before = w.count
				}
				for _, delay := range test.want {
					want.Add(delay)
				}
				if got := api.Delays(); got != want || got == zero {
					t.Errorf("got %v to %v, want %v", got.Quantile(0), got.Max(), test.want)
				}
				first := api.Appearances()
				if diff := cmp.Diff(test.want[0], first.Max()); first.Count() != 1 || diff != "" {
					t.Errorf("%d appearances (-want +got):\n%s", first.Count(), diff)
				}
				if len(s.unshown) != test.waiting {
					t.Errorf("%d are still to be shown, want %d", len(s.unshown), test.waiting)
				}
			})
		})
	}
}

func seconds(n ...int) (all []time.Duration) {
	for _, n := range n {
		all = append(all, time.Duration(n)*time.Second)
	}
	return all
}

// TestDoublings: it is measured from the occurrence that doubles what is shown
// until a write shows it. Caught: measuring from the write in between; a wait that is
// forgotten when a new run begins; a run that never ends.
func TestDoublings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := NewAPI(Settings{})
		s := api.NewComponent(silent, Identity{}).NewSeries(warning(1))
		occur := func(times int) {
			for range times {
				time.Sleep(time.Second)
				s.Occur("again")
			}
		}
		show := func(more int64, after time.Duration) { // the next of them
			time.Sleep(after)
			s.show(more, write{last: time.Unix(0, s.unshown[more-1]), at: time.Now()}, s.shown == 0)
		}
		var want Delays
		is := func(delays ...time.Duration) {
			t.Helper()
			for _, delay := range delays {
				want.Add(delay)
			}
			if got := api.Doublings(); got != want {
				t.Errorf("%d delays up to %v, want %d up to %v", got.Count(), got.Max(), want.Count(), want.Max())
			}
		}
		occur(1)
		show(1, 0)
		is(0)
		occur(3)
		show(3, 0) // the second of them had doubled it two seconds ago...
		is(2 * time.Second)
		occur(3)
		show(3, 0) // ... and these did not double it
		is()
		occur(7)
		show(7, 3*time.Second)
		is(3 * time.Second)
		occur(42)
		show(14, 4*time.Second) // of 28, when there are twice as many again
		show(28, time.Second)
		is(32*time.Second, 5*time.Second)
		time.Sleep(quiet + time.Second)
		occur(1) // a new Event, not shown for a while
		time.Sleep(quiet + 5*time.Second)
		occur(1) // yet another one, just now
		is(quiet+6*time.Second, 0)
	})
}
