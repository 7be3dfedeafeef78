// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/internal/testkit/tuning"
)

// steady records one occurrence a minute about each of 20 objects in four namespaces, and calls
// each after every minute. The minutes pass in the synctest bubble of the test, so they take no time.
func (r *rig) steady(minutes int, each func(minute int)) {
	for minute := range minutes {
		for i := range 20 {
			pod := fixture.Pod(fmt.Sprintf("team-%d", i%4), fmt.Sprintf("web-%d", i))
			r.rec.Eventf(pod, nil, "Warning", "BackOff", "Restart", "again")
		}
		time.Sleep(time.Minute)
		each(minute)
	}
}

// writes returns the number of requests in the hour.
func (r *rig) writes(minutes int) int {
	before := len(r.sink.calls())
	r.steady(minutes, func(int) {})
	return (len(r.sink.calls()) - before) * 60 / minutes
}

// unpublished is an option that switches off the writes of doubled counts, so that only refreshes
// remain.
var unpublished = options{tuning.Publishing(-1, 0, 0)}

// If somebody deletes an Event from time to time, the other Events are not written more often.
func TestDeletionsByOthersAreNoLifetime(t *testing.T) {
	for name, each := range map[string]func(r *rig, minute int){
		"one an hour": func(r *rig, minute int) {
			if minute%60 == 59 {
				e := r.sink.Events()[minute/60%20]
				r.sink.Expire(e.Namespace, e.Name)
			}
		},
		"a namespace every ten minutes": func(r *rig, minute int) {
			if minute%10 == 9 {
				r.sink.expireAll("team-1")
			}
		},
	} {
		subtest(t, name, unpublished, func(r *rig) {
			quiet := r.writes(120)
			r.steady(6*60, func(minute int) { each(r, minute) })
			if got := r.writes(60); got > quiet*5/4 {
				r.Errorf("%d writes an hour, want %d as before the deletions", got, quiet)
			}
		})
	}
}

// A wrong estimate of the lifetime is corrected. In this test somebody deletes all Events of a
// cluster several times.
func TestLifetimeIsTestedAgain(t *testing.T) {
	inBubble(t, unpublished, func(r *rig) {
		quiet := r.writes(120)
		r.steady(6*60, func(minute int) {
			if minute%20 == 19 {
				r.sink.expireAll("")
			}
		})
		during := r.writes(10)
		r.steady(3*60, func(int) {})
		if got := r.writes(60); got > quiet*5/4 {
			r.Errorf("%d writes an hour, %d when all was deleted, want %d as before", got, during, quiet)
		}
	})
}

// If the server keeps Events for ten minutes, they are nearly always there, because refreshes
// become more frequent. If it then keeps them for longer, refreshes become less frequent again.
func TestLifetimeIsLearned(t *testing.T) {
	inBubble(t, unpublished, func(r *rig) {
		r.sink.SetTTL(10 * time.Minute)
		r.steady(2*60, func(int) {})
		seen, of := 0, 0
		r.steady(6*60, func(int) {
			seen += len(r.sink.Events())
			of += 20
		})
		if seen < of*9/10 {
			r.Errorf("%d of %d Events seen, want nine of ten", seen, of)
		}
		r.sink.SetTTL(time.Hour)
		r.steady(2*60, func(int) {})
		if got := r.writes(60); got > 50 {
			r.Errorf("%d writes an hour after the lifetime has grown, want 40", got)
		}
	})
}

func (s *server) expireAll(namespace string) {
	for _, e := range s.Events() {
		if namespace == "" || e.Namespace == namespace {
			s.Expire(e.Namespace, e.Name)
		}
	}
}
