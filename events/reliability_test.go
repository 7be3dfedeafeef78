// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// loop repeats one occurrence about one object: either less and less often, as the back-off of a
// kubelet does, or as fast as it can.
type loop struct {
	pod, reason  string
	wait, growth time.Duration // the time until the next occurrence, and the longest such time
	next         time.Time
	times        []time.Time
}

func (l *loop) occur(rec *events.Recorder, now time.Time) {
	rec.Eventf(newPod(l.pod), nil, corev1.EventTypeWarning, l.reason, "Sync", "it happened again")
	l.times = append(l.times, now)
	l.next = now.Add(l.wait)
	l.wait = min(2*l.wait, max(l.growth, l.wait))
}

// until returns the number of occurrences up to t.
func (l *loop) until(t time.Time) (n int64) {
	for n < int64(len(l.times)) && !l.times[n].After(t) {
		n++
	}
	return n
}

// manyLoops returns 40 pods in back-off, 10 in a hot loop, and 50 with a single occurrence.
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

// The loss by a SIGKILL while the server answers, checked every five seconds for 40 minutes. No
// Event is lost that is older than a round trip, and less than half of the occurrences of a series
// that are older than the publish interval. docs/reliability.md has the figures.
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

// A webhook that cannot handle one kind may make the server answer certain Events with a 500 for
// ever. Such Events do not keep other Events from being written. docs/reliability.md has the
// figures.
func TestPoisonStarvesNobody(t *testing.T) {
	for _, k := range []int{1, 100} {
		subtest(t, fmt.Sprint(k), nil, func(r *rig) {
			var mu sync.Mutex // guards stored
			stored := map[string]time.Time{}
			r.sink.SetLatency(10 * time.Millisecond)
			r.sink.CountOnly()
			r.sink.around = func(ctx context.Context, _ string, e *eventsv1.Event, store answer) (*eventsv1.Event, error) {
				if strings.HasPrefix(e.Regarding.Name, "poison") {
					return nil, apierrors.NewInternalError(fmt.Errorf("the webhook cannot decode %s", e.Regarding.Name))
				}
				answer, err := store(ctx)
				mu.Lock()
				defer mu.Unlock()
				stored[e.Regarding.Name] = time.Now()
				return answer, err
			}
			var recorded []time.Time
			for second := range 3 * 3600 {
				for i := range k {
					if second%60 == 0 {
						r.rec.Eventf(newPod(fmt.Sprint("poison-", i)), nil, "Warning", "Failed", "Sync", "again")
					}
				}
				if second%5 == 0 {
					r.record(1, fmt.Sprint("healthy-", len(recorded)))
					recorded = append(recorded, time.Now())
				}
				time.Sleep(time.Second)
			}
			time.Sleep(2 * time.Minute)
			r.b.Shutdown()
			within, sum, worst := 0, time.Duration(0), time.Duration(0)
			for i, at := range recorded {
				wait := stored[fmt.Sprint("healthy-", i)].Sub(at) // negative if it is not stored
				if sum, worst = sum+wait, max(worst, wait); 0 <= wait && wait <= 2*time.Minute {
					within++
				}
			}
			n := len(recorded)
			r.Logf("%d poisoned series: %d of %d stored within 2 minutes, mean %v, worst %v", k, within, n, sum/time.Duration(n), worst)
			if within < n*99/100 {
				r.Error("fewer than 99 % are stored within 2 minutes")
			}
		})
	}
}
