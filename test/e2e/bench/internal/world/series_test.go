// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package world

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/internal/testkit/fixture"
)

// silent is a contender that never writes: the test does.
func silent(*wire) recorder { return quietRecorder{} }

type quietRecorder struct{}

func (quietRecorder) Eventf(_, _ runtime.Object, _, _, _, _ string, _ ...any) {}
func (quietRecorder) stop()                                                   {}

// pod is an object to record something about.
func pod(i int) *corev1.Pod {
	name := fmt.Sprintf("pod-%d", i)
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID(name)}}
}

func warning(i int) Subject {
	return Subject{Regarding: pod(i), Type: corev1.EventTypeWarning, Reason: "FailedScheduling", Action: "Scheduling"}
}

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
		fixture.InBubble(t, test.name, func(t *testing.T) {
			api := NewAPI()
			s := api.NewComponent(silent, Identity{}).Series(warning(1))
			second := func(n int) time.Time { return api.Began().Add(time.Duration(n) * time.Second) }
			var script Script
			for n := 1; n <= 6; n++ {
				script.Add(second(n), func(time.Time) (never time.Time) { s.Occur("again"); return })
			}
			script.Play(second(7))
			var want, zero Delays
			var before int64
			for _, w := range test.writes {
				s.show(w.count-before, second(w.last), second(w.at), before == 0)
				before = w.count
			}
			for _, delay := range test.want {
				want.Add(delay)
			}
			if got := api.Delays(); got != want || got == zero {
				t.Errorf("got %v to %v, want %v", got.Quantile(0), got.Max(), test.want)
			}
			if firsts := s.component.firsts; len(firsts) != 1 || firsts[0].took != test.want[0] {
				t.Errorf("first occurrences %v, want one after %v", firsts, test.want[0])
			}
			if len(s.unshown) != test.waiting {
				t.Errorf("%d are still to be shown, want %d", len(s.unshown), test.waiting)
			}
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
		api := NewAPI()
		s := api.NewComponent(silent, Identity{}).Series(warning(1))
		occur := func(times int) {
			for range times {
				time.Sleep(time.Second)
				s.Occur("again")
			}
		}
		show := func(more int64, after time.Duration) { // the next of them
			time.Sleep(after)
			s.show(more, time.Unix(0, s.unshown[more-1]), time.Now(), s.tally.Shown == 0)
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

// TestIdealOrder: with two requests a second, after a first one, Warnings come before the
// Normals that wait, and nothing is sent while the server cannot be reached. Caught: an
// order of occurrence; a burst that is never used up, or that grows while nothing is sent; a
// cut that is passed over.
func TestIdealOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := NewAPI()
		began := api.Began()
		c := api.NewComponent(silent, Identity{QPS: 2, Burst: 1, Cut: func(now time.Time) bool {
			return now.Sub(began) >= 10*time.Second && now.Sub(began) < 12*time.Second
		}})
		at := func(d time.Duration, warning bool) first { return first{began.Add(d).UnixNano(), 0, warning} }
		got := c.idealDelays([]first{
			at(0, false), at(0, false), at(0, false), at(time.Second/4, true), at(10*time.Second, true),
			at(20*time.Second, true), at(20*time.Second, true),
		})
		for i := range got {
			got[i] = got[i].Round(time.Millisecond)
		}
		want := []time.Duration{
			latency, time.Second + latency, 1500*time.Millisecond + latency, time.Second/4 + latency, 2*time.Second + latency,
			latency, time.Second/2 + latency,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("delays (-want +got):\n%s", diff)
		}
	})
}
