// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

func finished(f *Flush) bool {
	select {
	case <-f.Done():
		return true
	default:
		return false
	}
}

func TestFlushWaitsForWhatWasUnwritten(t *testing.T) {
	c := newCache(intervals, 8)
	waiting := recorded(t, c, spread("waiting", normal), 8, at(0))
	see(c, spread("waiting", normal), at(0))
	queued := see(c, spread("queued", normal), at(0)).Series
	flying := see(c, spread("flying", normal), at(0)).Series
	w := write(t, flying)
	see(c, spread("flying", normal), at(0)) // not in that write

	recorded(t, c, spread("recorded", normal), 3, at(0))
	due, f := flushAll(c, at(time.Second))
	if len(due) != 1 || due[0] != (Due{waiting, request.Count}) {
		t.Fatalf("due %+v, want what waits in memory only", due)
	}
	if f.Remaining() != 3 {
		t.Errorf("%d remaining, want 3", f.Remaining())
	}
	stored(t, waiting, at(time.Second))
	stored(t, queued, at(time.Second))
	if next, _ := settle(flying, w, accepted, at(time.Second)); next.Op() != request.Patch || finished(f) {
		t.Errorf("next %v, finished %v: one occurrence is not written yet", next, finished(f))
	}
	stored(t, flying, at(time.Second))
	if !finished(f) {
		t.Errorf("%d remaining after all is written", f.Remaining())
	}
	checkNothingIsFlushed(t, c)
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

// Several flushes wait for the same series, while they are written and forgotten.
func TestFlushConcurrentSafe(t *testing.T) {
	c := newCache(intervals, 64)
	var group sync.WaitGroup
	queue := make(chan *Series, 4096)
	var writers sync.WaitGroup
	for range 2 {
		writers.Go(func() {
			for s := range queue {
				for next := request.FirstNormal; next != 0; {
					w := begin(s)
					if w == nil {
						break
					}
					next, _ = settle(s, w, accepted, at(0))
				}
			}
		})
	}
	for g := range 4 {
		group.Go(func() {
			for i := range 200 {
				if r := see(c, spread(fmt.Sprint(i%20), normal), at(0)); r.Enqueue != 0 {
					queue <- r.Series
				}
				due, f := flushAll(c, at(0))
				for _, d := range due {
					queue <- seriesOf(d.Item)
				}
				if (g+i)%2 == 0 {
					f.Cancel()
				} else {
					<-f.Done()
				}
			}
		})
	}
	group.Wait()
	close(queue)
	writers.Wait()
	checkNothingIsFlushed(t, c)
	checkCounts(t, c, counts{observed: 800, recorded: 800, size: 20})
}
