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

func TestListState(t *testing.T) {
	c := newCache(intervals, 10)
	k := spread("web", normal)
	s := see(c, k, at(0)).Series
	see(c, k, at(time.Minute))
	w := write(t, s)
	see(c, k, at(2*time.Minute))
	settle(s, w, answer{Verdict: request.Verdict{Action: request.Drop, Reason: stats.Rejected}}, at(3*time.Minute))
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
