// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/eventseries/eventseries/internal/stats"
)

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
	if marks := s.rare().flushes; len(marks) > 1 {
		t.Errorf("%d marks", len(marks))
	}
	if next, _ := settle(s, write(t, s), busy, at(time.Second)); next != 0 {
		t.Errorf("next %v although no flush waits", next)
	}
	if s.forced() {
		t.Errorf("marks %v", s.rare().flushes)
	}
}

// What the recorder does in its own goroutine costs no wake-up of the timer, unless a deadline became earlier.
func TestRepeatsWakeNoTimer(t *testing.T) {
	c := newCache(intervals, 4)
	k := keyOf("web", normal)
	recorded(t, c, k, 8, at(0))
	for n := range 9 {
		expire(c, at(time.Second))
		for len(c.Poked()) > 0 {
			<-c.Poked()
		}
		see(c, k, at(time.Second))
		if poked := len(c.Poked()) > 0; poked != (n == 7) {
			t.Errorf("repeat %d of 8 recorded: poked %v, want that by the one that doubles the count", n+1, poked)
		}
	}
}
