// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/internal/stats"
)

// fill records first occurrences of n series of one type.
func fill(c *Cache, name, eventType string, n int, now time.Time) (refused int) {
	for i := range n {
		if see(c, spread(fmt.Sprint(name, i), eventType), now).Dropped != stats.None {
			refused++
		}
	}
	return refused
}

func sizes(caches ...*Cache) (all []int64) {
	for _, c := range caches {
		all = append(all, c.size.Load())
	}
	return all
}

func checkSizes(t *testing.T, caches []*Cache, want ...int64) {
	t.Helper()
	var sum int64
	for _, n := range want {
		sum += n
	}
	if diff := cmp.Diff(want, sizes(caches...)); diff != "" {
		t.Errorf("series of each cache (-want +got):\n%s", diff)
	}
	if used := caches[0].budget.used.Load(); used != sum {
		t.Errorf("%d slots are used, want %d", used, sum)
	}
}

// A cache with a backlog of Warnings, which nothing in it may replace, gives up what
// exceeds its share, and no more.
func TestBudgetIsSharedEqually(t *testing.T) {
	b := NewBudget(12)
	hung, second, third := b.NewCache(intervals, epoch), b.NewCache(intervals, epoch), b.NewCache(intervals, epoch)
	all := []*Cache{hung, second, third}
	if n := fill(hung, "a", warning, 20, at(0)); n != 8 {
		t.Errorf("%d refused while one cache has all slots, want 8", n)
	}
	checkSizes(t, all, 12, 0, 0)
	if n := fill(second, "b", normal, 20, at(time.Second)); n != 14 {
		t.Errorf("%d refused, want 14 beyond the share", n)
	}
	checkSizes(t, all, 6, 6, 0)
	fill(third, "c", warning, 20, at(2*time.Second))
	checkSizes(t, all, 4, 4, 4)
	fill(hung, "d", warning, 20, at(3*time.Second))
	checkSizes(t, all, 4, 4, 4)
	checkCounts(t, hung, counts{
		observed: 40, pending: 4, size: 4, dropped: map[stats.Reason]int64{stats.CacheFull: 36},
	})
	checkCounts(t, second, counts{
		observed: 20, pending: 4, size: 4, dropped: map[stats.Reason]int64{stats.CacheFull: 16},
	})
	for _, c := range all[:2] {
		c.Close(stats.Stopped)
		c.Abandon()
	}
	checkSizes(t, all, 0, 0, 4)
	if n := fill(third, "e", warning, 8, at(4*time.Second)); n != 0 {
		t.Errorf("%d refused, want the slots of the abandoned caches", n)
	}
	checkSizes(t, all, 0, 0, 12)
	if n := len(b.caches); n != 1 {
		t.Errorf("%d caches are known, want 1", n)
	}
}

// What is recorded goes first, however new it is, then the oldest Normal, then a Warning.
func TestBudgetGivesUpWhatIsRecordedFirst(t *testing.T) {
	b := NewBudget(6)
	large, small := b.NewCache(intervals, epoch), b.NewCache(intervals, epoch)
	names := []string{"warning", "normal", "newer", "recorded", "later", "last"}
	see(large, spread("warning", warning), at(0))
	see(large, spread("normal", normal), at(time.Second))
	see(large, spread("newer", normal), at(2*time.Second))
	recorded(t, large, spread("recorded", warning), 1, at(3*time.Second))
	see(large, spread("later", warning), at(4*time.Second))
	see(large, spread("last", warning), at(5*time.Second))
	for i, want := range [][]string{
		{"warning", "normal", "newer", "later", "last"},
		{"warning", "newer", "later", "last"},
		{"warning", "later", "last"},
	} {
		fill(small, fmt.Sprint("new-", i), normal, 1, at(6*time.Second))
		checkPresent(t, large, names, want...)
	}
	checkSizes(t, []*Cache{large, small}, 3, 3)
}

// Nothing is evicted while slots are free, whatever the shares are.
func TestBudgetLendsWhatIsFree(t *testing.T) {
	b := NewBudget(100)
	busy, quiet := b.NewCache(intervals, epoch), b.NewCache(intervals, epoch)
	fill(quiet, "q", normal, 5, at(0))
	if n := fill(busy, "b", normal, 95, at(0)); n != 0 {
		t.Errorf("%d refused while slots are free", n)
	}
	checkSizes(t, []*Cache{busy, quiet}, 95, 5)
}

// I5 holds for all caches together, while some come and go.
func TestI5SharedBoundConcurrentSafe(t *testing.T) {
	const bound, sharers, each = 60, 6, 500
	b := NewBudget(bound)
	var group sync.WaitGroup
	var mu sync.Mutex
	var all []*Cache
	for g := range sharers {
		group.Go(func() {
			random := rand.New(rand.NewPCG(uint64(g), 0))
			c := b.NewCache(intervals, epoch)
			mu.Lock()
			all = append(all, c)
			mu.Unlock()
			for i := range each {
				now := at(time.Duration(i) * time.Second)
				r := see(c, spread(fmt.Sprint(i), []string{normal, warning}[random.IntN(2)]), now)
				if r.Enqueue != 0 && random.IntN(3) > 0 {
					if w := begin(r.Series); w != nil {
						settle(r.Series, w, answer{}, now)
					}
				}
				if used := b.used.Load(); used > bound+sharers { // a cache that finds none free adds itself for a moment
					t.Errorf("%d slots are used", used)
				}
				if g == 0 && i == each/2 {
					c.Close(stats.Stopped)
					c.Abandon()
				}
			}
		})
	}
	group.Wait()
	var sum int64
	for _, c := range all {
		total, pending, size := snapshotOf(c)
		accounted := total.Recorded + pending
		for _, r := range stats.Reasons() {
			accounted += total.Dropped[r]
		}
		if total.Observed != each || accounted != each || int64(size) != c.size.Load() {
			t.Errorf("I1: observed %d, accounted for %d, %d series of %d slots", total.Observed, accounted, size, c.size.Load())
		}
		sum += int64(size)
	}
	if sum > bound || sum != b.used.Load() {
		t.Errorf("%d series, %d slots used, at most %d", sum, b.used.Load(), bound)
	}
}
