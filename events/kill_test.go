// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// loop is something that goes on happening to one object, ever more rarely, as a
// kubelet's back-off does, or as fast as it can.
type loop struct {
	pod, reason  string
	wait, growth time.Duration // until the next occurrence, and what that wait grows to at most
	next         time.Time
	times        []time.Time
}

func (l *loop) occur(rec *events.Recorder, now time.Time) {
	rec.Eventf(newPod(l.pod), nil, corev1.EventTypeWarning, l.reason, "Sync", "it happened again")
	l.times = append(l.times, now)
	l.next = now.Add(l.wait)
	l.wait = min(2*l.wait, max(l.growth, l.wait))
}

// until is how many occurrences there were by t.
func (l *loop) until(t time.Time) (n int64) {
	for n < int64(len(l.times)) && !l.times[n].After(t) {
		n++
	}
	return n
}

// manyLoops is 40 pods in back-off, 10 in a hot loop, and 50 that something
// happens to once.
func manyLoops(random *rand.Rand, began time.Time) (all []*loop) {
	add := func(reason string, wait, growth time.Duration) {
		start := time.Duration(random.Int64N(int64(20 * time.Minute)))
		all = append(all, &loop{
			pod: "web-" + string(rune('a'+len(all)/26)) + string(rune('a'+len(all)%26)), reason: reason,
			wait: wait, growth: growth, next: began.Add(start),
		})
	}
	for range 40 {
		add("BackOff", 10*time.Second, 5*time.Minute)
	}
	for range 10 {
		add("FailedSync", time.Duration(200+random.Int64N(1000))*time.Millisecond, 0)
	}
	for range 50 {
		add("Killing", 24*time.Hour, 0)
	}
	return all
}

// What a SIGKILL loses while the server answers, looked at every five seconds of
// 40 minutes: no Event that is older than a round trip, and less than half of what
// is older than the publish interval. docs/reliability.md has the figures.
func TestWhatAKillLoses(t *testing.T) {
	const interval, roundTrip = 10 * time.Second, 100 * time.Millisecond
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		sink.SetLatency(roundTrip / 10)
		_, rec := start(t, sink)
		loops := manyLoops(rand.New(rand.NewPCG(1, 2)), time.Now())
		stored := map[string]int64{}
		var worst, sum float64
		var kills int
		for tick := range 40 * 60 * 10 {
			now := time.Now()
			for _, l := range loops {
				if !now.Before(l.next) {
					l.occur(rec, now)
				}
			}
			time.Sleep(100 * time.Millisecond)
			if tick%50 != 49 {
				continue
			}
			for _, e := range sink.Events() {
				stored[e.Regarding.Name] = count(&e) // the newest comes last, by its name
			}
			var all, lost int64
			for _, l := range loops {
				all, lost = all+int64(len(l.times)), lost+int64(len(l.times))-stored[l.pod]
				if stored[l.pod] < min(l.until(now.Add(-roundTrip)), 2) {
					t.Errorf("%v: %s is not on the server as it should be", now, l.pod)
				}
				if old := l.until(now.Add(-interval - roundTrip)); 2*stored[l.pod] < old {
					t.Errorf("%v: %d of the %d old occurrences of %s are on the server", now, stored[l.pod], old, l.pod)
				}
			}
			share := float64(lost) / float64(max(all, 1))
			worst, sum, kills = max(worst, share), sum+share, kills+1
		}
		t.Logf("a kill loses %.1f %% of all occurrences on average, %.1f %% at worst, in %d looks",
			100*sum/float64(kills), 100*worst, kills)
	})
}
