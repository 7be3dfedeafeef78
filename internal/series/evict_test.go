// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"slices"
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
	stored(t, c, see(c, spread("a", normal), at(10*time.Second)).Series, at(10*time.Second))

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

// A full cache must not turn repeats into Creates.
func TestEvictionNeverEvictsRepeats(t *testing.T) {
	c := newCache(intervals, 2)
	hot := spread("hot", normal)
	s := recorded(t, c, hot, 8, at(0))
	recorded(t, c, spread("idle", normal), 1, at(0))
	for i := range 600 {
		now := at(time.Duration(i) * time.Second)
		if r := see(c, hot, now); r.Series != s || r.Enqueue.Op() == request.Create {
			t.Fatalf("after %d s: %+v, want a repeat", i, r)
		} else if r.Enqueue != 0 {
			stored(t, c, s, now)
		}
		see(c, spread(fmt.Sprint("new-", i), normal), now)
	}
	checkPresent(t, c, []string{"hot", "idle", "new-59", "new-60", "new-61"}, "hot", "new-60")
}

// In order of the last occurrence, and in order of arrival, over all shards.
func TestEvictionKeepsTheOrder(t *testing.T) {
	const n = 3 * numShards
	for newcomer, evict := range map[string]bool{normal: true, warning: false} {
		t.Run(newcomer, func(t *testing.T) {
			c := newCache(intervals, n)
			var all []string
			for i := range n {
				all = append(all, fmt.Sprint("old-", i))
				k := spread(all[i], normal)
				if see(c, k, at(time.Duration(i)*time.Second)); evict {
					stored(t, c, see(c, k, at(time.Duration(i)*time.Second)).Series, at(0))
				}
			}
			for i := range n {
				see(c, spread(fmt.Sprint("new-", i), newcomer), at(time.Hour))
				if got := present(c, all...); !slices.Equal(got, all[i+1:]) {
					t.Fatalf("newcomer %d left %v, want those from old-%d on", i, got, i+1)
				}
			}
		})
	}
}

// One that is observed while a newcomer looks for the oldest keeps its place.
func TestEvictionLooksAgainBeforeItEvicts(t *testing.T) {
	c := newCache(intervals, 4)
	k := spread("a", normal)
	recorded(t, c, k, 1, at(0))
	evict := func(now time.Time) bool {
		ok, _ := c.shard(&Occurrence{Key: k}).evict(rank{idle, int64(momentOf(now, epoch).Add(-idleBeforeEviction))})
		return ok
	}
	if evict(at(time.Minute - 1)) {
		t.Error("it was evicted too early")
	}
	if !evict(at(time.Minute)) || evict(at(time.Hour)) {
		t.Error("want it evicted once, after a minute")
	}
}

// What the server does not have is never evicted, however long it is idle.
func TestEvictionNeverEvictsTheUnwritten(t *testing.T) {
	c := newCache(intervals, 2)
	see(c, spread("never-sent", normal), at(0))
	inflight := recorded(t, c, spread("in-flight", normal), 1, at(0))
	see(c, spread("in-flight", normal), at(0))
	w := write(t, c, inflight)
	if r := see(c, spread("new", normal), at(time.Hour)); r.Dropped != stats.CacheFull {
		t.Errorf("%+v, want it dropped", r)
	}
	settle(c, inflight, w, answer{Verdict: request.Verdict{Action: request.Stored}}, at(time.Hour))
	if r := see(c, spread("new", normal), at(time.Hour)); r.Dropped != stats.None {
		t.Errorf("%+v, want the acknowledged series evicted", r)
	}
}

func TestRefusedSeriesIsEvicted(t *testing.T) {
	c := newCache(intervals, 1)
	refuse(c, see(c, spread("bad", normal), at(0)).Series, stats.Rejected, at(0))
	see(c, spread("bad", normal), at(30*time.Second)) // only counts, and moves its place
	if r := see(c, spread("new", normal), at(time.Minute)); r.Dropped != stats.CacheFull {
		t.Errorf("%+v: the refused series of a hot loop was evicted", r)
	}
	if r := see(c, spread("new", normal), at(90*time.Second)); r.Dropped != stats.None {
		t.Errorf("%+v, want the refused series evicted", r)
	}
}

// Of several refused series the one that was quiet for longest is evicted, not the one
// that was refused first.
//
// Caught: a list of idle series that is not reordered when a refused series is observed.
func TestRefusedSeriesThatIsObservedStays(t *testing.T) {
	c := newCache(intervals, 3)
	all := []string{"a", "b", "c"} // all about one object, and in one shard
	for i, name := range all {
		now := at(time.Duration(i) * time.Second)
		refuse(c, see(c, keyOf(name, normal), now).Series, stats.Rejected, now)
	}
	see(c, keyOf("a", normal), at(30*time.Second))
	see(c, keyOf("new", normal), at(2*time.Minute))
	for i, name := range all {
		o := &Occurrence{Key: keyOf(name, normal)}
		if _, here := c.shard(o).series[string(o.PackKey(nil).text)]; here != (i != 1) {
			t.Errorf("%s is in the cache: %v", name, here)
		}
	}
}

func TestEvictionWarningDisplacesTheOldestNormal(t *testing.T) {
	c := newCache(intervals, 4)
	all := []string{"w0", "n1", "n2", "n3", "w4", "w5", "w6", "w7"}
	see(c, spread("w0", warning), at(0))
	flying := see(c, spread("n1", normal), at(1)).Series
	w := write(t, c, flying)
	second := see(c, spread("n2", normal), at(2)).Series
	see(c, spread("n2", normal), at(3))
	see(c, spread("n3", normal), at(4))

	r, dropped := record(c, spread("w4", warning), Occurrence{At: at(5)})
	if r.Enqueue.Op() != request.Create || len(dropped) != 1 || dropped[0].Occurrences != 2 || dropped[0].Reason != stats.CacheFull {
		t.Errorf("%+v, dropped %+v, want the oldest normal one that is not in flight", r, dropped)
	}
	checkPresent(t, c, all, "w0", "n1", "n3", "w4")
	if _, ok := begin(c, second); ok || !second.Gone() {
		t.Error("the writer can still begin what was displaced")
	}
	see(c, spread("w5", warning), at(6))
	checkPresent(t, c, all, "w0", "n1", "w4", "w5")
	if r := see(c, spread("w6", warning), at(7)); r.Dropped != stats.CacheFull {
		t.Errorf("%+v: a warning displaced a write in flight or a warning", r)
	}
	settle(c, flying, w, answer{Verdict: request.Verdict{Action: request.Retry}}, at(8))
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

// An occurrence that was sent and never answered may be on the server.
func TestEvictionDisplacedMayBeUnconfirmed(t *testing.T) {
	c := newCache(intervals, 1)
	s := see(c, spread("n", normal), at(0)).Series
	settle(c, s, write(t, c, s), answer{Verdict: request.Verdict{Action: request.Retry, Ambiguous: true}}, at(0))
	see(c, spread("w", warning), at(1))
	checkCounts(t, c, counts{
		observed: 2, pending: 1, unconfirmed: 1, size: 1, dropped: map[stats.Reason]int64{stats.CacheFull: 1},
	})
}

// What the server has goes before a normal one that is not written, however new it is: a
// Warning loses nothing that can be kept.
func TestEvictionWarningEvictsBeforeItDisplaces(t *testing.T) {
	c := newCache(intervals, 3)
	see(c, spread("pending", normal), at(0))
	recorded(t, c, spread("idle", normal), 1, at(time.Second))
	recorded(t, c, spread("later", warning), 1, at(2*time.Second))
	all := []string{"pending", "idle", "later", "w1", "w2", "w3"}
	for i, want := range [][]string{
		{"pending", "later", "w1"}, {"pending", "w1", "w2"}, {"w1", "w2", "w3"},
	} {
		see(c, spread(fmt.Sprint("w", i+1), warning), at(3*time.Second))
		checkPresent(t, c, all, want...)
	}
}

func TestEvictionNormalNeverDisplaces(t *testing.T) {
	c := newCache(intervals, 1)
	see(c, spread("first", normal), at(0))
	r, dropped := record(c, spread("second", normal), Occurrence{At: at(time.Hour)})
	if r.Dropped != stats.CacheFull || r.Series != nil || dropped != nil {
		t.Errorf("%+v, dropped %v", r, dropped)
	}
}
