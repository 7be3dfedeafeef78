// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/selector"
	"github.com/eventseries/eventseries/internal/stats"
)

// names returns the names of the objects of the series that are listed.
func names(list []State) (all []string) {
	for _, s := range list {
		all = append(all, s.Regarding.Name)
	}
	return all
}

// Caught: a list by the first shards; pending series that were recorded; ties in the order of a map.
func TestListOrder(t *testing.T) {
	c := newCache(intervals, 1000)
	for i := range 100 { // pod-99 has the highest count, and pod-0 waits longest
		k := spread(fmt.Sprintf("pod-%d", i), warning)
		for range i + 1 {
			see(c, k, at(time.Duration(i)*time.Second))
		}
	}
	recorded(t, c, spread("done", warning), 1000, at(0))
	frequent, waiting := c.List(3, epoch)
	if diff := cmp.Diff([]string{"done", "pod-99", "pod-98"}, names(frequent)); diff != "" {
		t.Errorf("frequent (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"pod-0", "pod-1", "pod-2"}, names(waiting)); diff != "" {
		t.Errorf("waiting (-want +got):\n%s", diff)
	}
	for _, n := range []int{-1, 0} {
		if frequent, waiting := c.List(n, epoch); len(frequent)+len(waiting) != 0 {
			t.Errorf("List(%d) has %d and %d series", n, len(frequent), len(waiting))
		}
	}
	if frequent, waiting := c.List(1000, epoch); len(frequent) != 101 || len(waiting) != 100 {
		t.Errorf("%d and %d series, want 101 and 100", len(frequent), len(waiting))
	}
}

// Caught: a reason that is not the first one that applies; a time that is not that of the next write.
func TestListSaysWhatASeriesWaitsFor(t *testing.T) {
	refused := seen(3, 0)
	refused.refuse(stats.Rejected, after(time.Second))
	refused.dropUnwritten()
	twice := seen(3, 0)
	twice.refuse(stats.Rejected, after(0))
	twice.refuse(stats.Rejected, after(time.Second))
	twice.dropUnwritten()
	held := onServer(9, 8, 0, 0)
	held.hold(after(time.Second))
	held.hold(after(time.Minute))
	queued, flying := onServer(9, 8, 0, 0), onServer(9, 8, 0, 0)
	queued.queued, flying.inFlight = true, true
	forced := onServer(9, 8, 0, 0)
	forced.more().flushes = []flushTarget{{observed: forced.observed}}
	for name, row := range map[string]struct {
		s     *Series
		want  string
		until time.Duration // -1: no time
	}{
		"recorded":       {onServer(8, 8, 0, 0), ForNothing, -1},
		"in flight":      {flying, ForAnswer, -1},
		"queued":         {queued, ForTurn, -1},
		"due":            {seen(1, 0), ForTurn, -1},
		"flushed":        {forced, ForTurn, -1},
		"held twice":     {held, ForEvent, time.Minute + 2*firstHold},
		"doubled":        {onServer(16, 8, 5*time.Second, time.Second), ForInterval, 11 * time.Second},
		"quiet":          {onServer(9, 8, time.Minute, 0), ForInterval, 7 * time.Minute},
		"hot":            {onServer(9, 8, 29*time.Minute, time.Second), ForInterval, 30*time.Minute + time.Second},
		"refused":        {refused, ForEvent, time.Second + firstRetry},
		"refused, twice": {twice, ForEvent, time.Second + 2*firstRetry},
	} {
		t.Run(name, func(t *testing.T) {
			var want moment
			if row.until >= 0 {
				want = after(row.until)
			}
			if got, until := row.s.waitsFor(&intervals); got != row.want || until != want {
				t.Errorf("waits for %q until %v, want %q until %v", got, until, row.want, want)
			}
		})
	}
}

// Caught: a state that shares a field with another; a refused series without its reason; one that is muted and not said
// to be; one that is, and was let through before the selector changed.
func TestListState(t *testing.T) {
	c := newCache(intervals, 10)
	k := spread("web", normal)
	s := see(c, k, at(0)).Series
	see(c, k, at(time.Minute))
	w := write(t, c, s)
	see(c, k, at(2*time.Minute))
	settle(c, s, w, answer{Verdict: request.Verdict{Action: request.Drop, Reason: stats.Rejected}}, at(3*time.Minute))
	warnings, err := selector.Parse("type=Warning")
	if err != nil {
		t.Fatal(err)
	}
	c.SelectBy(warnings)
	first := s.First()
	namespace, name := s.EventName()
	want := State{
		Namespace: namespace, Name: name, Regarding: first.Regarding.ObjectReference(), Type: first.Type,
		Reason: first.Reason, Action: first.Action, ReportingController: first.ReportingController, Note: first.Note,
		Observed: 3, Dropped: 3, First: at(0), Last: at(2 * time.Minute), Attempts: 1,
		WaitsFor: ForEvent, WaitsUntil: at(3*time.Minute + firstRetry), DroppedAs: stats.Muted.String(),
	}
	got, _ := c.List(1, epoch)
	if diff := cmp.Diff([]State{want}, got); diff != "" {
		t.Errorf("muted (-want +got):\n%s", diff)
	}
	c.SelectBy(nil)
	want.DroppedAs = stats.Rejected.String()
	if got, _ = c.List(1, epoch); cmp.Diff([]State{want}, got) != "" {
		t.Errorf("without a selector (-want +got):\n%s", cmp.Diff([]State{want}, got))
	}
}

func TestListAllocations(t *testing.T) {
	c := newCache(intervals, 20000)
	for i := range 20000 {
		see(c, spread(fmt.Sprint("pod-", i), normal), at(0))
	}
	if n := testing.AllocsPerRun(10, func() { c.List(50, epoch) }); n > 500 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkList is two lists of 50 of a full cache.
func BenchmarkList(b *testing.B) {
	c := newCache(intervals, 65536)
	for i := range 65536 {
		see(c, spread(fmt.Sprint("pod-", i), normal), at(time.Duration(i)*time.Millisecond))
	}
	b.ReportAllocs()
	for b.Loop() {
		c.List(50, epoch)
	}
}
