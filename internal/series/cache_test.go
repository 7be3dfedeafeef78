// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

func poked(c *Cache) bool {
	select {
	case <-c.poke:
		return true
	default:
		return false
	}
}

func TestCacheQueuesASeriesOnce(t *testing.T) {
	c := newCache(intervals, 4)
	k := keyOf("web", normal)
	r := see(c, k, at(0))
	if r.Enqueue.Op() != request.Create || r.Series.First().Namespace != "default" {
		t.Fatalf("first occurrence: %+v", r)
	}
	for range 3 {
		if r := see(c, k, at(0)); r.Enqueue != 0 {
			t.Errorf("queued again while it waits: %v", r.Enqueue)
		}
	}
	w := write(t, c, r.Series)
	if w.Count != 4 {
		t.Errorf("the write carries %d, want all 4", w.Count)
	}
	if r := see(c, k, at(0)); r.Enqueue != 0 {
		t.Errorf("queued while its write is in flight: %v", r.Enqueue)
	}
	next, _ := settle(c, r.Series, w, answer{Verdict: request.Verdict{Action: request.Retry}}, at(0))
	if next.Op() != request.Create {
		t.Errorf("next %v, want the create again", next)
	}
	if r := see(c, k, at(0)); r.Enqueue != 0 {
		t.Errorf("queued beside its retry: %v", r.Enqueue)
	}
	if next := stored(t, c, r.Series, at(0)); next != 0 {
		t.Errorf("next %v once all is written", next)
	}
	checkCounts(t, c, counts{observed: 6, recorded: 6, size: 1})
	if _, ok := begin(c, r.Series); ok {
		t.Error("there is a write although nothing is unwritten")
	}
}

// Two callers find the key missing; the slower one folds into the series of the
// faster one.
func TestCacheInsertAfterInsert(t *testing.T) {
	c := newCache(intervals, 4)
	k := keyOf("web", normal)
	o := first(Occurrence{Key: k, At: at(0)})
	faster, _ := insert(c, o)
	second, _ := insert(c, first(Occurrence{Key: k, At: at(0), Annotations: map[string]string{"a": "b"}}))
	if second.Series != faster.Series || second.Enqueue != 0 {
		t.Errorf("%+v, want the first one's series", second)
	}
	w := write(t, c, faster.Series)
	if w.Event.Name != o.EventName() || w.Count != 2 || w.Event.Annotations["a"] != "b" {
		t.Errorf("%+v", w.Event)
	}
	checkCounts(t, c, counts{observed: 2, pending: 2, size: 1})
}

// A caller whose key is inserted by another one while the cache is full.
func TestCacheInsertIntoAFullCache(t *testing.T) {
	c := newCache(intervals, 1)
	k := keyOf("web", normal)
	see(c, k, at(0))
	if r, _ := insert(c, first(Occurrence{Key: k, At: at(0)})); r.Dropped != stats.None {
		t.Errorf("dropped as %v, want folded", r.Dropped)
	}
	checkCounts(t, c, counts{observed: 2, pending: 2, size: 1})
}

func TestCacheDrop(t *testing.T) {
	c := newCache(intervals, 1)
	if got := c.Drop(stats.Labels{}, stats.Invalid); got != stats.Invalid {
		t.Errorf("dropped as %v", got)
	}
	c.Close(stats.Stopped)
	if got := c.Drop(stats.Labels{}, stats.Invalid); got != stats.Stopped {
		t.Errorf("dropped as %v after Close", got)
	}
	checkCounts(t, c, counts{observed: 2, dropped: map[stats.Reason]int64{stats.Invalid: 1, stats.Stopped: 1}})
}

// The series is over 6 minutes after the last occurrence, whether or not the
// timer has come by.
func TestCacheFinishedSeriesIsReplaced(t *testing.T) {
	c := newCache(intervals, 1)
	k := keyOf("web", normal)
	old := recorded(t, c, k, 3, at(0))
	if r := see(c, k, at(6*time.Minute-1)); r.Series != old {
		t.Error("another series before the finish interval is over")
	}
	stored(t, c, startWrite(t, c, old), at(6*time.Minute))
	r := see(c, k, at(12*time.Minute))
	if r.Series == old || r.Enqueue.Op() != request.Create {
		t.Fatalf("%+v, want a series of its own", r)
	}
	if w := write(t, c, r.Series); w.Count != 1 {
		t.Errorf("it starts at %d", w.Count)
	}
	checkCounts(t, c, counts{observed: 5, recorded: 4, pending: 1, size: 1})
}

// startWrite makes the final count due.
func startWrite(t *testing.T, c *Cache, s *Series) *Series {
	t.Helper()
	due, _, _ := expire(c, timeOf(s.last.Add(intervals.Finish)))
	if len(due) != 1 || seriesOf(due[0].Item) != s {
		t.Fatalf("due %v, want the final count", due)
	}
	return s
}

// What the recorder does in its own goroutine costs no timer's wake-up unless a
// deadline became earlier.
func TestCacheWakesTheTimerForEarlierDeadlines(t *testing.T) {
	c := newCache(intervals, 4)
	k := keyOf("web", normal)
	expire(c, at(0))
	see(c, k, at(0))
	s := see(c, k, at(0)).Series
	if !poked(c) {
		t.Error("no poke for the first deadline")
	}
	_, _, next := expire(c, at(0))
	if want := at(intervals.RetryFor); !next.Equal(want) {
		t.Errorf("next %v, want %v", next, want)
	}
	stored(t, c, s, at(0)) // it waits for its finish
	if !poked(c) {
		t.Error("no poke for the finish")
	}
	_, _, next = expire(c, at(0))
	if want := at(intervals.Finish); !next.Equal(want) {
		t.Errorf("next %v, want %v", next, want)
	}
	see(c, k, at(time.Second))
	if poked(c) {
		t.Error("poked for a deadline that moved to later")
	}
	see(c, k, at(3*time.Second)) // doubled: published 10 s after the write
	if !poked(c) {
		t.Error("no poke for the publishing")
	}
	_, _, next = expire(c, at(3*time.Second))
	if want := timeOf(s.lastWrite.Add(intervals.Publish)); !next.Equal(want) {
		t.Errorf("next %v, want %v", next, want)
	}
}

// While a write is in flight its answer looks at the deadlines again; the
// occurrences of a hot loop need not wake the timer for nothing.
func TestCacheDoesNotWakeTheTimerForAWriteInFlight(t *testing.T) {
	c := newCache(intervals, 4)
	k := keyOf("web", normal)
	s := recorded(t, c, k, 4, at(0))
	for range 4 {
		see(c, k, at(time.Second))
	}
	due, _, _ := expire(c, at(10*time.Second))
	if len(due) != 1 {
		t.Fatalf("due %v, want the count that has doubled", due)
	}
	w := write(t, c, s)
	poked(c)
	for i := range 100 {
		see(c, k, at(11*time.Second))
		if poked(c) {
			t.Fatalf("poked by occurrence %d", i)
		}
	}
	if due, _, _ := expire(c, at(20*time.Second)); len(due) != 0 {
		t.Fatalf("due %v beside the write in flight", due)
	}
	next, _ := settle(c, s, w, answer{Verdict: request.Verdict{Action: request.Stored}}, at(21*time.Second))
	if next != 0 || !poked(c) {
		t.Errorf("next %v, want the deadline of what came meanwhile", next)
	}
	if _, _, next := expire(c, at(21*time.Second)); !next.Equal(at(31 * time.Second)) {
		t.Errorf("next %v, want the publishing at 31 s", next)
	}
}

// The clock is set forward while the timer sleeps, for five minutes and more: what is
// due in ten seconds wakes it all the same.
//
// Caught: a deadline that is compared with the time at which the timer will wake.
func TestCacheWakesTheTimerAfterTheClockWasSet(t *testing.T) {
	for _, set := range []time.Duration{-time.Hour, 0, 5 * time.Minute, time.Hour} {
		c := newCache(intervals, 4)
		s := recorded(t, c, spread("web", normal), 2, at(0))
		expire(c, at(0))
		if poked(c); s.Gone() {
			t.Fatal("it is over")
		}
		k := spread("other", normal)
		recorded(t, c, k, 2, at(set))
		poked(c)
		see(c, k, at(set))
		see(c, k, at(set))
		if !poked(c) {
			t.Errorf("clock set by %v: no poke for what is to be published", set)
		}
	}
}

// A series that leaves the queue has a deadline again.
//
// Caught: a refusal that leaves the timer asleep until a minute is an hour.
func TestRefusalWakesTheTimer(t *testing.T) {
	c := newCache(intervals, 4)
	s := see(c, keyOf("web", warning), at(0)).Series
	expire(c, at(0))
	poked(c)
	refuse(c, s, stats.NamespaceGone, at(0))
	if !poked(c) {
		t.Error("no poke for its finish")
	}
}

// A timer that knows no deadline looks again for any.
func TestCacheWakesATimerWithoutDeadline(t *testing.T) {
	c := newCache(intervals, 4)
	recorded(t, c, keyOf("web", normal), 1, at(0))
	expire(c, at(0))
	if _, _, next := expire(c, at(6*time.Minute)); !next.IsZero() {
		t.Fatalf("next %v, want none once the series is over", next)
	}
	poked(c)
	see(c, keyOf("web", normal), at(7*time.Minute))
	if !poked(c) {
		t.Error("no poke")
	}
}

func TestCacheExpireOfNothing(t *testing.T) {
	c := newCache(intervals, 4)
	if due, dropped, next := expire(c, at(0)); len(due)+len(dropped) != 0 || !next.IsZero() {
		t.Errorf("%v, %v, %v", due, dropped, next)
	}
}

// A retry interval as short as the finish interval (what a finish interval of
// more than an hour makes of the default) must leave the final count a try.
func TestCacheTriesTheFinalCountBeforeItIsTooOld(t *testing.T) {
	iv := intervals
	iv.RetryFor = iv.Finish
	c := newCache(iv, 4)
	k := keyOf("web", normal)
	s := recorded(t, c, k, 8, at(0))
	see(c, k, at(0))
	due, dropped, _ := expire(c, at(iv.Finish))
	if len(due) != 1 || len(dropped) != 0 {
		t.Fatalf("due %v, dropped %v, want the final count due", due, dropped)
	}
	w := write(t, c, s)
	next, _ := settle(c, s, w, answer{Verdict: request.Verdict{Action: request.Retry}}, at(iv.Finish))
	if next.Op() != request.Patch || !poked(c) {
		t.Fatalf("next %v, want the retry, and a look at how old it is", next)
	}
	if _, dropped, _ := expire(c, at(iv.Finish)); len(dropped) != 1 || dropped[0].Reason != stats.TooOld {
		t.Errorf("dropped %v, want it too old after a try", dropped)
	}
	if !s.Gone() {
		t.Error("the writer still has to ask for it")
	}
	checkCounts(t, c, counts{observed: 9, recorded: 8, dropped: map[stats.Reason]int64{stats.TooOld: 1}})
}

func TestRefusal(t *testing.T) {
	c := newCache(intervals, 4)
	k := keyOf("web", warning)
	see(c, k, at(0))
	s := see(c, k, at(0)).Series
	dropped := refuse(c, s, stats.NamespaceGone, at(0))
	if len(dropped) != 1 || dropped[0].Occurrences != 2 || seriesOf(dropped[0].Item) != s {
		t.Errorf("dropped %+v", dropped)
	}
	if r := see(c, k, at(time.Minute-1)); r.Dropped != stats.NamespaceGone || r.Enqueue != 0 {
		t.Errorf("%+v, want it counted", r)
	}
	if _, ok := begin(c, s); ok {
		t.Error("there is still a write")
	}
	checkCounts(t, c, counts{observed: 3, size: 1, dropped: map[stats.Reason]int64{stats.NamespaceGone: 3}})
	expire(c, at(7*time.Minute))
	if dropped := refuse(c, s, stats.NamespaceGone, at(0)); dropped != nil {
		t.Errorf("dropped %v of a series that has left", dropped)
	}
	checkCounts(t, c, counts{observed: 3, dropped: map[stats.Reason]int64{stats.NamespaceGone: 3}})
}

// Names that differ in any one place use all shards about evenly, so that cores
// rarely wait for each other.
//
// Caught: bits of the product that the last bytes do not reach, after which all
// the pods of a ReplicaSet shared one shard.
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

// I2: a repeat allocates nothing.
func TestI2ObserveAllocatesNothing(t *testing.T) {
	c := newCache(intervals, 4)
	k := keyOf("web", normal)
	recorded(t, c, k, 8, at(0))
	o := Occurrence{Key: k, At: at(time.Second), Annotations: map[string]string{}}
	if n := testing.AllocsPerRun(1000, func() {
		if observe(c, &o).Missing {
			t.Fatal("no such series")
		}
	}); n != 0 {
		t.Errorf("%v allocations a repeat", n)
	}
}
