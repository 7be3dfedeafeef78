// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// fastClock is a clock that is ahead of the other clocks.
type fastClock struct {
	clock.RealClock
	by time.Duration
}

func (c fastClock) Now() time.Time { return c.RealClock.Now().Add(c.by) }

// countOn returns the sum of the counts of all stored Events, and the number of Events.
func countOn(sink *eventstest.Sink) (sum int64, n int) {
	all := sink.Events()
	for i := range all {
		if all[i].Series == nil {
			sum++
			continue
		}
		sum += int64(all[i].Series.Count)
	}
	return sum, len(all)
}

// A hot loop counts more occurrences in a minute than are plausible for the Event of another
// process. If an answer is lost, the process reads the stored Event, and nevertheless recognizes it
// as its own.
func TestSharedCountsOfAHotLoop(t *testing.T) {
	const occurrences = 2_000_000
	for name, early := range map[string]int{"a patch is lost": 2, "a create is lost": 0} {
		subtestUnstarted(t, name, options{events.WithSharedCounts()}, func(r *rig) {
			if early > 0 {
				r.start(context.Background())
			}
			for range early {
				r.record(1, "web")
				r.flush()
			}
			r.record(occurrences-early, "web")
			r.sink.LoseNext(1, errTimeout)
			if early == 0 {
				r.start(context.Background())
			}
			r.flush()
			sum, n := countOn(r.sink.Sink)
			if s := r.b.Stats(); s.Recorded != occurrences || sum != occurrences || n != 1 {
				r.Errorf("recorded %d, the server has %d in %d Events, want %d in one", s.Recorded, sum, n, occurrences)
			}
		})
	}
}

// A replica with a clock that is ahead writes times that are in the future for the others. No
// occurrence is counted twice because of that, not even if an answer was lost before the write of
// this replica.
func TestSharedCountsBesideAClockThatIsAhead(t *testing.T) {
	for _, ahead := range []time.Duration{30 * time.Second, 2 * time.Minute, 24 * time.Hour} {
		t.Run(ahead.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink := eventstest.NewSink()
				replica := func(name string, opts ...events.Option) *rig {
					b := events.NewBroadcaster(sink, append(opts, events.WithSharedCounts(),
						events.WithReportingInstance(name), events.WithLogger(klog.Logger{}))...)
					r := &rig{T: t, b: b, rec: newRecorder(b)}
					r.start(context.Background())
					return r
				}
				ours, theirs := replica("ours"), replica("theirs", events.WithClock(fastClock{by: ahead}))
				ours.record(1, "web")
				ours.flush()
				ours.record(1, "web")
				ours.flush()

				sink.LoseNext(1, errTimeout)
				sink.FailNext(1, errTimeout)
				ours.record(3, "web")
				time.Sleep(11 * time.Second) // after ten the doubled count was written, and then the series waits
				theirLast := time.Now().Add(ahead)
				theirs.record(4, "web")
				theirs.flush()
				ours.flush()

				recorded := ours.b.Stats().Recorded + theirs.b.Stats().Recorded
				if sum, n := countOn(sink); recorded != 9 || sum != recorded {
					t.Errorf("recorded %d, the server has %d in %d Events, want 9", recorded, sum, n)
				}
				// The stored last time is the time of an occurrence. If it is in the near future it
				// is accepted, otherwise not.
				last := time.Now()
				ours.record(1, "web")
				ours.flush()
				if ahead <= time.Minute {
					last = theirLast
				}
				for _, e := range sink.Events() {
					if !e.Series.LastObservedTime.Time.Equal(last) {
						t.Errorf("last observed at %v, want %v", e.Series.LastObservedTime, last)
					}
				}
				ours.b.Shutdown()
				theirs.b.Shutdown()
			})
		})
	}
}

// A server whose caches are stale may give answers that contradict each other: the Event exists for
// a Create, and does not exist for a Patch. Such a server is not asked in a hot loop.
func TestContradictoryAnswersWait(t *testing.T) {
	for name, opts := range map[string]options{"shared counts": {events.WithSharedCounts()}, "names of its own": nil} {
		subtest(t, name, opts, func(r *rig) {
			contradict := true
			r.sink.around = func(ctx context.Context, op string, e *eventsv1.Event, store answer) (*eventsv1.Event, error) {
				time.Sleep(5 * time.Millisecond)
				switch {
				case !contradict:
					return store(ctx)
				case op == "create":
					return nil, apierrors.NewAlreadyExists(eventsResource, e.Name)
				default:
					return nil, apierrors.NewNotFound(eventsResource, e.Name)
				}
			}
			for range 60 {
				r.record(10, "web")
				time.Sleep(time.Second)
			}
			if n := len(r.sink.calls()); n > 150 {
				r.Errorf("%d requests in a minute for one Event", n)
			}
			contradict = false
			r.record(1, "web")
			time.Sleep(time.Minute)
			r.flush()
			if e := r.only(); e.Series == nil || e.Series.Count != 601 {
				r.Errorf("the server has %v, want all 601 occurrences", e.Series)
			}
		})
	}
}
