// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package world

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestScript: what is planned is done in the order of time, at its time, and an
// act may plan others. Caught: an act beyond the end; a heap the wrong way round.
func TestScript(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var script Script
		var got []string
		say := func(what string, again time.Duration) Act {
			return func(now time.Time) (next time.Time) {
				if !now.Equal(time.Now()) {
					t.Errorf("%s was told %v at %v", what, now, time.Now())
				}
				got = append(got, what+"@"+now.Sub(began).String())
				if again > 0 {
					return now.Add(again)
				}
				return time.Time{}
			}
		}
		script.Add(began.Add(3*time.Second), say("b", 2*time.Second))
		script.Add(began.Add(time.Second), func(now time.Time) time.Time {
			script.Add(now.Add(time.Second), say("a", 0))
			return time.Time{}
		})
		script.Add(began.Add(8*time.Second), say("late", 0))
		script.Play(began.Add(8 * time.Second))
		if diff := cmp.Diff([]string{"a@2s", "b@3s", "b@5s", "b@7s"}, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if passed := time.Since(began); passed != 8*time.Second {
			t.Errorf("it took %v, want 8 s", passed)
		}
	})
}

// TestQuantiles: at most 2 % too high, and never beyond the longest.
// Caught: the rank rounded down; the bucket's lower bound.
func TestQuantiles(t *testing.T) {
	var d Delays
	if got := d.Quantile(0.99); got != 0 {
		t.Errorf("of nothing: %v", got)
	}
	for i := range 1000 {
		d.Add(time.Duration(i+1) * time.Millisecond)
	}
	for q, want := range map[float64]time.Duration{
		0: time.Millisecond, 0.5: 500 * time.Millisecond, 0.99: 990 * time.Millisecond, 1: time.Second,
	} {
		if got := d.Quantile(q); got < want || got > want*102/100 || got > d.Max() {
			t.Errorf("Quantile(%v) = %v, want %v or up to 2 %% more", q, got, want)
		}
	}
	if d.Count() != 1000 || d.Max() != time.Second {
		t.Errorf("%d delays, the longest %v", d.Count(), d.Max())
	}
}

// TestSimulate: a program can have bubbles, one after the other, without a test.
// Caught: a program that ends with its first bubble.
func TestSimulate(t *testing.T) {
	for range 2 {
		var passed time.Duration
		Simulate(func() {
			began := time.Now()
			time.Sleep(24 * time.Hour)
			passed = time.Since(began)
		})
		if passed != 24*time.Hour {
			t.Errorf("%v passed", passed)
		}
	}
}
