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

// Two callers find the key missing while the cache is full; the slower one folds into the
// series of the faster one.
func TestCacheInsertAfterInsert(t *testing.T) {
	c := newCache(intervals, 1)
	k := keyOf("web", normal)
	o := first(Occurrence{Key: k, At: at(0)})
	faster := observe(c, o)
	second := observe(c, first(Occurrence{Key: k, At: at(0), Annotations: map[string]string{"a": "b"}}))
	if second.Series != faster.Series || second.Enqueue != 0 || second.Dropped != stats.None {
		t.Errorf("%+v, want the first one's series", second)
	}
	w := write(t, faster.Series)
	if w.Event.Name != o.EventName() || w.Count != 2 || w.Event.Annotations["a"] != "b" {
		t.Errorf("%+v", w.Event)
	}
	checkCounts(t, c, counts{observed: 2, pending: 2, size: 1})
}

// What the recorder does in its own goroutine costs no timer's wake-up unless a
// deadline became earlier.
func TestCacheWakesTheTimerForEarlierDeadlines(t *testing.T) {
	c := newCache(intervals, 4)
	k := keyOf("web", normal)
	check := func(what string, want bool, now, next time.Duration) {
		t.Helper()
		if got := poked(c); got != want {
			t.Errorf("%s: poked %v, want %v", what, got, want)
		}
		if _, _, at := expire(c, at(now)); next != 0 && at.Sub(epoch) != next {
			t.Errorf("%s: next at %v, want %v", what, at.Sub(epoch), next)
		} else if next == 0 && !at.IsZero() {
			t.Errorf("%s: next at %v, want none", what, at)
		}
	}
	check("nothing", false, 0, 0)
	see(c, k, at(0))
	s := see(c, k, at(0)).Series
	check("the first deadline", true, 0, intervals.RetryFor)
	settle(s, write(t, s), refused, at(0))
	check("refused", true, 0, intervals.Finish)
	check("finished", false, intervals.Finish, 0)
	s = recorded(t, c, k, 4, at(10*time.Minute))
	check("without a deadline", true, 10*time.Minute, 16*time.Minute)
	see(c, k, at(601*time.Second))
	check("a deadline that moved to later", false, 601*time.Second, 16*time.Minute)
	for range 3 {
		see(c, k, at(601*time.Second))
	}
	check("doubled", true, 609*time.Second, 610*time.Second)
	check("published", false, 11*time.Minute, 601*time.Second+intervals.RetryFor)
	w := write(t, s)
	for range 100 { // its answer looks at the deadlines again
		see(c, k, at(11*time.Minute))
	}
	check("in flight", false, 12*time.Minute, 601*time.Second+intervals.RetryFor)
	if next, _ := settle(s, w, accepted, at(12*time.Minute)); next != 0 {
		t.Errorf("next %v, want the deadline of what came meanwhile", next)
	}
	check("answered", true, 12*time.Minute, 12*time.Minute+intervals.Publish)
}

// The clock is set forward while the timer sleeps, for five minutes and more: what is
// due in ten seconds wakes it all the same.
func TestCacheWakesTheTimerAfterTheClockWasSet(t *testing.T) {
	for _, set := range []time.Duration{-time.Hour, 0, 5 * time.Minute, time.Hour} {
		c := newCache(intervals, 4)
		recorded(t, c, spread("web", normal), 2, at(0))
		expire(c, at(0))
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
	w := write(t, s)
	next, _ := settle(s, w, busy, at(iv.Finish))
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

// BenchmarkObserve is the hot path: a repeat of a known series.
func BenchmarkObserve(b *testing.B) {
	for _, size := range []int{1, 65536} {
		b.Run(fmt.Sprintf("series=%d", size), func(b *testing.B) {
			c := newCache(intervals, size)
			all := make([]Occurrence, size)
			for i := range all {
				all[i] = Occurrence{Key: spread(fmt.Sprint("pod-", i), normal), At: epoch}
				observe(c, first(all[i]))
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				observe(c, &all[i%size])
			}
		})
	}
}

// BenchmarkObserveParallel has every core record about objects of its own, as
// the workers of a controller do.
func BenchmarkObserveParallel(b *testing.B) {
	const size = 1024
	c := newCache(intervals, size)
	all := make([]Occurrence, size)
	for i := range all {
		all[i] = Occurrence{Key: spread(fmt.Sprint("pod-", i), normal), At: epoch}
		observe(c, first(all[i]))
	}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
			observe(c, &all[i%size])
		}
	})
}

// BenchmarkInsert is the first occurrence of a series.
func BenchmarkInsert(b *testing.B) {
	c := newCache(intervals, 1<<17)
	k := keyOf("", normal)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		k.Regarding.Name = fmt.Sprint("pod-", i)
		see(c, k, epoch)
		if i%(1<<16) == 0 {
			c.Abandon()
		}
	}
}
