// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/selector"
	"github.com/eventseries/eventseries/internal/stats"
)

// Two callers find the key missing while the cache is full; the slower one counts in the
// series of the faster one.
func TestCacheInsertAfterInsert(t *testing.T) {
	c := newCache(intervals, 1)
	k := keyOf("web", normal)
	o := first(Occurrence{Key: k, At: at(0)})
	faster := insert(c, o)
	second := insert(c, first(Occurrence{Key: k, At: at(0), Annotations: map[string]string{"a": "b"}}))
	if second.Series != faster.Series || second.Due != nil || second.Dropped != stats.None {
		t.Errorf("%+v, want the first one's series", second)
	}
	w := write(t, faster.Series)
	if w.Event.Name != o.EventName() || w.Count != 2 || w.Event.Annotations["a"] != "b" {
		t.Errorf("%+v", w.Event)
	}
	if total, pending, size := snapshotOf(c); total.Observed != 2 || pending != 2 || size != 1 {
		t.Errorf("%+v, %d pending, %d series, want 2 and one", total, pending, size)
	}
}

// Names that differ in any one place use all shards about evenly, so that cores
// rarely wait for each other.
func TestCacheSpreadsObjects(t *testing.T) {
	const n = 64 * numShards
	for _, format := range []string{"web-%d", "web-7d4b9c6f5d-%05x", "6f1c2e0a-9a51-4c8e-b7b4-%012x", "%06d-x", "%d"} {
		var used [numShards]int
		for i := range n {
			used[shardIndex(fmt.Sprintf(format, i))]++
		}
		if least, most := slices.Min(used[:]), slices.Max(used[:]); least < 32 || most > 128 {
			t.Errorf("%s: from %d to %d of %d names in a shard, want about 64", format, least, most, n)
		}
	}
}

// Flushes that time out while the server is down leave nothing behind.
func TestFlushForgotten(t *testing.T) {
	c := newCache(intervals, 4)
	k := keyOf("web", normal)
	s := recorded(t, c, k, 8, at(0))
	see(c, k, at(time.Second))
	for range 100 {
		_, f := flushAll(c, at(time.Second))
		f.Cancel()
		if f.Remaining() != 1 {
			t.Fatalf("%d remaining, want the one that was not written", f.Remaining())
		}
	}
	if marks := s.extras().flushes; len(marks) > 1 {
		t.Errorf("%d marks", len(marks))
	}
	if next, _ := settle(s, write(t, s), busy, at(time.Second)); next != 0 {
		t.Errorf("next %v although no flush waits", next)
	}
	if s.forced() {
		t.Errorf("marks %v", s.extras().flushes)
	}
}

// What the recorder does in its own goroutine costs no wake-up of the timer, unless it sleeps for too long.
func TestRepeatsWakeNoTimer(t *testing.T) {
	c := newCache(intervals, 4)
	k := keyOf("web", normal)
	recorded(t, c, k, 8, at(0))
	check := func(what string, want bool) {
		t.Helper()
		if poked := len(c.Poked()) > 0; poked != want {
			t.Errorf("%s: poked %v, want %v", what, poked, want)
		}
	}
	expire(c, at(time.Second))
	<-c.Poked() // by the first deadline
	for range 7 {
		see(c, k, at(time.Second))
	}
	check("repeats", false)
	see(c, keyOf("later", normal), at(time.Second)) // it is queued, and too old in an hour
	check("a later deadline", false)
	see(c, k, at(time.Second))
	check("a count that has doubled", true)
}

// Many newcomers at once each find a place while there are enough, although
// they look for the same oldest series.
func TestRoomForAllNewcomersConcurrentSafe(t *testing.T) {
	const places = 16
	for round := range 200 {
		for newcomer, evict := range map[string]bool{normal: true, warning: false} {
			c := newCache(intervals, places)
			for i := range places {
				k := spread(fmt.Sprint("old-", i), normal)
				if see(c, k, at(0)); evict {
					stored(t, see(c, k, at(0)).Series, at(0))
				}
			}
			var group sync.WaitGroup
			var dropped atomic.Int64
			for i := range places {
				group.Go(func() {
					k := spread(fmt.Sprint("new-", i), newcomer)
					if r := see(c, k, at(time.Minute)); r.Dropped != stats.None {
						dropped.Add(1)
					}
				})
			}
			group.Wait()
			if n := dropped.Load(); n != 0 {
				t.Fatalf("round %d: %d of %d %s newcomers dropped as CacheFull", round, n, places, newcomer)
			}
		}
	}
}

// The name of an Event is read without a lock, by watchers and by the page, while answers change the series.
func TestEventNameConcurrentSafe(t *testing.T) {
	c := newCache(intervals, 4)
	s := see(c, keyOf("web", warning), at(0)).Series
	w := write(t, s)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if _, name := s.EventName(); name == "" {
				t.Error("no name")
			}
		})
	}
	s.Settle(w, request.NoAnswer, nil, at(0)) // the server may have it: that is kept
	all.Wait()
}

func TestSaturatingInc(t *testing.T) {
	if saturatingInc(0) != 1 || saturatingInc(254) != 255 || saturatingInc(255) != 255 {
		t.Error("the number of refusals goes round")
	}
}

// Every answer is counted once: as a Create, as a Patch or as a retry. A refusal is no retry, because nothing is sent
// again.
func TestAnswersAreCounted(t *testing.T) {
	for name, row := range map[string]struct {
		answers []answer
		want    stats.Counters
	}{
		"a Create":             {[]answer{accepted}, stats.Counters{Creates: 1}},
		"a Create and a Patch": {[]answer{accepted, accepted}, stats.Counters{Creates: 1, Patches: 1}},
		"no answer":            {[]answer{unanswered}, stats.Counters{Retries: 1}},
		"a retry":              {[]answer{busy, accepted}, stats.Counters{Creates: 1, Retries: 1}},
		"a refusal":            {[]answer{refused}, stats.Counters{}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCache(intervals, 4)
			for _, answer := range row.answers {
				s := see(c, keyOf("web", warning), at(0)).Series
				settle(s, write(t, s), answer, at(0))
			}
			total, _, _ := snapshotOf(c)
			got := stats.Counters{
				Creates: total.Creates,
				Patches: total.Patches,
				Retries: total.Retries,
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// After the end every occurrence is dropped as Stopped, also one that the selector does not select, because the drop
// says what is wrong with the component.
func TestStoppedComesBeforeTheSelector(t *testing.T) {
	selected, err := selector.Parse("type=Warning")
	if err != nil {
		t.Fatal(err)
	}
	c := newCache(intervals, 4)
	c.SelectBy(selected)
	c.Close(stats.Stopped)
	for _, eventType := range []string{normal, warning} {
		if r := see(c, keyOf("web", eventType), at(0)); r.Dropped != stats.Stopped {
			t.Errorf("%s: dropped as %v, want %v", eventType, r.Dropped, stats.Stopped)
		}
	}
}

// Occurrences that the writer does not come to are dropped an hour after the last of them, and not when the timer looks
// for another reason.
func TestTooOldIsOnTime(t *testing.T) {
	c := newCache(intervals, 4)
	see(c, keyOf("web", warning), at(0)) // the writer does not come to it
	for now := at(0); ; {
		_, dropped, next := expire(c, now)
		if len(dropped) > 0 {
			if want := at(intervals.RetryFor); !now.Equal(want) {
				t.Errorf("dropped after %v, want %v", now.Sub(epoch), intervals.RetryFor)
			}
			return
		}
		if !next.After(now) {
			t.Fatalf("after %v the next deadline is %v", now.Sub(epoch), next.Sub(epoch))
		}
		now = next
	}
}

// A write after a pause gives way to all others if it failed. After a conflict it does not, because it is as likely to
// succeed as any other.
func TestClassAfterAPause(t *testing.T) {
	conflict := answer{Verdict: request.Verdict{Action: request.Resend}}
	look := answer{Verdict: request.Verdict{Action: request.Stored}, version: "2"}
	for name, row := range map[string]struct {
		answers []answer
		want    request.Class
	}{
		"held":      {[]answer{heldBack}, request.FailedPatch},
		"conflicts": {[]answer{conflict, look, conflict}, request.Second},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCache(intervals, 4)
			k := keyOf("web", warning)
			s := recorded(t, c, k, 1, at(0))
			see(c, k, at(0))
			for _, answer := range row.answers {
				settle(s, write(t, s), answer, at(0))
			}
			due, _, _ := expire(c, at(time.Minute))
			if len(due) != 1 || due[0].Class != row.want {
				t.Errorf("due: %+v, want class %v", due, row.want)
			}
		})
	}
}

// An occurrence of which no Event can be made is Invalid, also without a sink, and Stopped after the end.
func TestDropWithoutASeries(t *testing.T) {
	for closed, want := range map[stats.Reason]stats.Reason{
		stats.None:     stats.Invalid,
		stats.Filtered: stats.Invalid,
		stats.Stopped:  stats.Stopped,
	} {
		c := newCache(intervals, 4)
		c.Close(closed)
		if got := c.Drop(stats.MetricLabels{}, stats.Invalid); got != want {
			t.Errorf("closed for %v: dropped as %v, want %v", closed, got, want)
		}
		if total, _, _ := snapshotOf(c); total.Dropped[want] != 1 {
			t.Errorf("closed for %v: %+v, want one %v", closed, total.Dropped, want)
		}
	}
}
