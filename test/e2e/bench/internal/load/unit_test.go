// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Each unit says what its description says, and each of several says as much.
//
// Caught: a pod of two containers; an old pod of a rollout that is not stopped; a crash loop that ends after a time by
// chance; a pod that fits at once; units that all begin at the same time.
func TestUnits(t *testing.T) {
	const n = 3
	pods := func(each int) int { return each * RolloutSize }
	tests := []struct {
		name string
		unit Unit
		want map[string]int // how often a reason is recorded, for one unit; -1 for any number
	}{
		{"pod", PodLife, map[string]int{"Scheduled": 1, "Pulled": 1, "Created": 1, "Started": 1, "Killing": 1}},
		{"rollout", Rollout, map[string]int{
			"ScalingReplicaSet": 4, "SuccessfulCreate": pods(1), "SuccessfulDelete": pods(1), "Scheduled": pods(1),
			"Pulling": pods(1), "Pulled": pods(1), "Created": pods(1), "Started": pods(1), "Killing": pods(1),
		}},
		// The first six restarts come after 10, 20, 40, 80, 160 and 300 seconds, and 5 of running each.
		{"crash", CrashHour, map[string]int{"Pulled": 16, "Created": 16, "Started": 16, "BackOff": -1}},
		{"misfit", Misfit, map[string]int{
			"FailedScheduling": -1, "Scheduled": 1, "Pulling": -1, "Pulled": 1, "Created": 1, "Started": 1,
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cluster := NewIdle(Config{Nodes: 3, PodsPerNode: 10, Containers: 1, Span: 2 * time.Hour})
			cluster.Add(test.unit, n, n*time.Second)
			got := map[string]int{}
			var starts []time.Duration
			for e, ok := cluster.Next(); ok; e, ok = cluster.Next() {
				got[e.Reason]++
				if e.What == scheduled {
					starts = append(starts, e.At)
				}
			}
			want := map[string]int{}
			for reason, times := range test.want {
				want[reason] = times * n
				if times < 0 && got[reason] > 0 {
					want[reason] = got[reason]
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if test.unit == PodLife && starts[1]-starts[0] < time.Second/2 {
				t.Errorf("the pods start at %v, want one a second", starts)
			}
		})
	}
}

// A cluster in which only some components record has their emissions alone, and all of them.
//
// Caught: an end that is included; a random number that is drawn only for a component that records.
func TestOf(t *testing.T) {
	whole := everything(small)
	for _, of := range [][2]int{{0, small.Nodes}, {small.Nodes, small.Nodes + others}, {3, 5}} {
		var want []Emission
		for _, e := range whole {
			if e.Component >= of[0] && e.Component < of[1] {
				e.At = 0 // a call takes its time, also of those that are left out
				want = append(want, e)
			}
		}
		got := everything(small.Of(of[0], of[1]))
		for i := range got {
			got[i].At = 0
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v: -want +got:\n%s", of, diff)
		}
	}
}
