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

func finished(f *Flush) bool {
	select {
	case <-f.Done():
		return true
	default:
		return false
	}
}

func checkNothingIsFlushed(t *testing.T, c *Cache) {
	t.Helper()
	for _, sh := range c.shards {
		for _, s := range sh.series {
			if s.forced() {
				t.Errorf("%s: marks %v", s.First().Regarding.Name, s.rare().flushes)
			}
		}
	}
}

// Dropped is accounted for, too.
func TestFlushEndsWithADrop(t *testing.T) {
	drops := map[string]func(c *Cache, s *Series, w *Write){
		"refused": func(c *Cache, s *Series, w *Write) {
			settle(s, w, answer{Verdict: request.Verdict{Action: request.Drop, Reason: stats.Rejected}}, at(0))
		},
		"abandoned": func(c *Cache, _ *Series, _ *Write) { c.Abandon() },
		"too old": func(c *Cache, s *Series, w *Write) {
			settle(s, w, busy, at(0))
			expire(c, at(time.Hour))
		},
		"displaced": func(c *Cache, s *Series, w *Write) {
			settle(s, w, busy, at(0))
			see(c, spread("other", warning), at(0))
		},
	}
	for name, drop := range drops {
		t.Run(name, func(t *testing.T) {
			c := newCache(intervals, 1)
			s := see(c, keyOf("web", normal), at(0)).Series
			w := write(t, s)
			_, f := flushAll(c, at(0))
			if finished(f) {
				t.Fatal("finished before the write was answered")
			}
			if drop(c, s, w); !finished(f) {
				t.Errorf("%d remaining", f.Remaining())
			}
		})
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
	if marks := s.rare().flushes; len(marks) > 1 {
		t.Errorf("%d marks", len(marks))
	}
	if next, _ := settle(s, write(t, s), busy, at(time.Second)); next != 0 {
		t.Errorf("next %v although no flush waits", next)
	}
	checkNothingIsFlushed(t, c)
}

func TestCloseStopsEverything(t *testing.T) {
	c := newCache(intervals, 1)
	k := keyOf("web", warning)
	s := see(c, k, at(0)).Series
	o := first(Occurrence{Key: k, At: at(0)})
	c.Close(stats.Stopped)
	for name, result := range map[string]func() result{
		"observe":           func() result { return observe(c, o) },
		"insert, when full": func() result { return observe(c, o) },
		"insert of another": func() result {
			r := observe(c, first(Occurrence{Key: keyOf("other", normal), At: at(0)}))
			return r
		},
	} {
		if r := result(); r.Dropped != stats.Stopped || r.Missing || r.Enqueue != 0 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if got := c.Drop(stats.Labels{}, stats.Invalid); got != stats.Stopped {
		t.Errorf("dropped as %v", got)
	}
	stored(t, s, at(0)) // what is pending can still be written
	checkCounts(t, c, counts{observed: 5, recorded: 1, size: 1, dropped: map[stats.Reason]int64{stats.Stopped: 4}})
}

func TestAbandon(t *testing.T) {
	c := newCache(intervals, 8)
	recorded(t, c, spread("recorded", normal), 3, at(0))
	see(c, spread("queued", normal), at(0))
	flying := see(c, spread("flying", warning), at(0)).Series
	w := write(t, flying)
	see(c, spread("flying", warning), at(0))
	lost := see(c, spread("lost", normal), at(0)).Series
	settle(lost, write(t, lost), unanswered, at(0))

	dropped, unconfirmed := c.Abandon(), int64(0)
	for _, d := range dropped {
		unconfirmed += d.Unconfirmed
	}
	if len(dropped) != 3 || unconfirmed != 2 {
		t.Errorf("%d series dropped, %d unconfirmed, want 3 and 2", len(dropped), unconfirmed)
	}
	want := counts{
		observed: 7, recorded: 3, unconfirmed: 2, dropped: map[stats.Reason]int64{stats.Abandoned: 4},
	}
	checkCounts(t, c, want)
	// Answers that come later change nothing.
	for _, v := range []request.Verdict{
		{Action: request.Stored}, {Action: request.Retry}, {Action: request.Drop, Reason: stats.Rejected},
		{Action: request.Recreate}, {Action: request.Resend},
	} {
		if next, dropped := settle(flying, w, answer{Verdict: v}, at(0)); next != 0 || dropped != nil {
			t.Errorf("answer %v: next %v, dropped %v", v.Action, next, dropped)
		}
	}
	if begin(lost) != nil {
		t.Error("there is a write after all was dropped")
	}
	checkCounts(t, c, want)
	if dropped := c.Abandon(); dropped != nil {
		t.Errorf("abandoned twice: %v", dropped)
	}
	checkEmpty(t, c)
}

// checkEmpty looks for anything that is left behind.
func checkEmpty(t *testing.T, c *Cache) {
	t.Helper()
	for i, sh := range c.shards {
		if n := len(sh.series) + len(sh.timers.Items) + len(sh.victims.Items) + len(sh.groups); n != 0 {
			t.Errorf("shard %d: %d series, %d timers, %d victims, %d groups", i,
				len(sh.series), len(sh.timers.Items), len(sh.victims.Items), len(sh.groups))
		}
	}
	if n := c.size.Load(); n != 0 {
		t.Errorf("%d series are counted", n)
	}
}
