// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

// names of the objects that the cache has a series about.
func present(c *Cache, names ...string) (found []string) {
	for _, name := range names {
		for _, eventType := range []string{normal, warning} {
			o := &Occurrence{Key: spread(name, eventType)}
			if sh := c.shard(o); sh.series[string(o.PackKey(nil).text)] != nil {
				found = append(found, name)
			}
		}
	}
	return found
}

func checkPresent(t *testing.T, c *Cache, of []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, present(c, of...)); diff != "" {
		t.Errorf("series in the cache (-want +got):\n%s", diff)
	}
}

// A newcomer takes the place of the least recently observed series that the
// server has, once that has been idle for a minute.
func TestEvictionEvictsTheLeastRecentlyObserved(t *testing.T) {
	c := newCache(intervals, 3)
	all := []string{"a", "b", "c", "d", "e", "f"}
	for i, name := range all[:3] {
		recorded(t, c, spread(name, normal), 1, at(time.Duration(i)*time.Second))
	}
	// a is observed again, and that is recorded too.
	stored(t, see(c, spread("a", normal), at(10*time.Second)).Series, at(10*time.Second))

	if r := see(c, spread("d", normal), at(61*time.Second-1)); r.Dropped != stats.CacheFull {
		t.Errorf("%+v: b is evicted before it has been idle for a minute", r)
	}
	if r := see(c, spread("d", normal), at(61*time.Second)); r.Enqueue.Op() != request.Create {
		t.Errorf("%+v, want it observed", r)
	}
	checkPresent(t, c, all, "a", "c", "d")
	see(c, spread("e", normal), at(62*time.Second))
	checkPresent(t, c, all, "a", "d", "e")
	see(c, spread("f", normal), at(70*time.Second))
	checkPresent(t, c, all, "d", "e", "f")

	total, _, _ := snapshotOf(c)
	if total.Evicted != 3 {
		t.Errorf("%d evicted, want 3", total.Evicted)
	}
	checkCounts(t, c, counts{
		observed: 8, recorded: 4, pending: 3, size: 3, dropped: map[stats.Reason]int64{stats.CacheFull: 1},
	})
}

// What the server does not have is never evicted, however long it is idle.
func TestEvictionNeverEvictsTheUnwritten(t *testing.T) {
	c := newCache(intervals, 2)
	see(c, spread("never-sent", normal), at(0))
	inflight := recorded(t, c, spread("in-flight", normal), 1, at(0))
	see(c, spread("in-flight", normal), at(0))
	w := write(t, inflight)
	if r := see(c, spread("new", normal), at(time.Hour)); r.Dropped != stats.CacheFull {
		t.Errorf("%+v, want it dropped", r)
	}
	settle(inflight, w, accepted, at(time.Hour))
	if r := see(c, spread("new", normal), at(time.Hour)); r.Dropped != stats.None {
		t.Errorf("%+v, want the acknowledged series evicted", r)
	}
}

func TestEvictionWarningDisplacesTheOldestNormal(t *testing.T) {
	c := newCache(intervals, 4)
	all := []string{"w0", "n1", "n2", "n3", "w4", "w5", "w6", "w7"}
	see(c, spread("w0", warning), at(0))
	flying := see(c, spread("n1", normal), at(1)).Series
	w := write(t, flying)
	second := see(c, spread("n2", normal), at(2)).Series
	see(c, spread("n2", normal), at(3))
	see(c, spread("n3", normal), at(4))

	r := see(c, spread("w4", warning), at(5))
	if dropped := r.Effects.Dropped; r.Enqueue.Op() != request.Create || len(dropped) != 1 || dropped[0].Occurrences != 2 || dropped[0].Reason != stats.CacheFull {
		t.Errorf("%+v, dropped %+v, want the oldest normal one that is not in flight", r, dropped)
	}
	checkPresent(t, c, all, "w0", "n1", "n3", "w4")
	if begin(second) != nil || !second.Gone() {
		t.Error("the writer can still begin what was displaced")
	}
	see(c, spread("w5", warning), at(6))
	checkPresent(t, c, all, "w0", "n1", "w4", "w5")
	if r := see(c, spread("w6", warning), at(7)); r.Dropped != stats.CacheFull {
		t.Errorf("%+v: a warning displaced a write in flight or a warning", r)
	}
	settle(flying, w, busy, at(8))
	see(c, spread("w7", warning), at(9))
	checkPresent(t, c, all, "w0", "w4", "w5", "w7")
	total, _, _ := snapshotOf(c)
	if total.Evicted != 3 {
		t.Errorf("%d evicted, want 3", total.Evicted)
	}
	checkCounts(t, c, counts{
		observed: 9, pending: 4, size: 4, dropped: map[stats.Reason]int64{stats.CacheFull: 5},
	})
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
