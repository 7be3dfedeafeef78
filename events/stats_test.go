// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries"
	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/legacy"
)

// Every reason and every kind of repair is a key, also with nothing to report: metrics need them from the start.
func TestStatsHasEveryKey(t *testing.T) {
	s := events.NewBroadcaster(nil).Stats()
	for _, reason := range []events.DropReason{
		events.Invalid, events.Stopped, events.CacheFull, events.Rejected, events.NamespaceGone, events.TooOld,
		events.Abandoned, events.Filtered, events.SpamFilter, events.QueueFull, events.Muted,
		events.UnknownCluster,
	} {
		if n, ok := s.Dropped[reason]; !ok || n != 0 {
			t.Errorf("Dropped[%s] = %d, %v", reason, n, ok)
		}
	}
	for _, kind := range allRepairs {
		if n, ok := s.Repaired[kind]; !ok || n != 0 {
			t.Errorf("Repaired[%s] = %d, %v", kind, n, ok)
		}
	}
	if len(s.Dropped) != 12 || len(s.Repaired) != len(allRepairs) {
		t.Errorf("%d reasons, %d repairs", len(s.Dropped), len(s.Repaired))
	}
}

// It is the caller's.
func TestStatsIsACopy(t *testing.T) {
	b := events.NewBroadcaster(nil)
	s := b.Stats()
	s.Dropped[events.Invalid], s.Repaired[events.RepairNote] = 7, 7
	if again := b.Stats(); again.Dropped[events.Invalid]+again.Repaired[events.RepairNote] != 0 {
		t.Error("a snapshot is shared")
	}
}

// Add sums every field there is.
func TestStatsAdd(t *testing.T) {
	fill := func(factor int64) (s events.Stats) {
		v := reflect.ValueOf(&s).Elem()
		for i := range v.NumField() {
			if v.Field(i).CanInt() {
				v.Field(i).SetInt(factor * int64(i+1))
			}
		}
		s.Version = "v0.1.0"
		s.Dropped = map[events.DropReason]int64{events.Invalid: factor}
		s.Repaired = map[events.Repair]int64{events.RepairNote: factor}
		return s
	}
	one, two := fill(1), fill(10)
	if diff := cmp.Diff(fill(11), one.Add(two)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(fill(1), one); diff != "" {
		t.Errorf("the receiver changed (-want +got):\n%s", diff)
	}
	if got := one.Add(events.Stats{}); !cmp.Equal(one, got) {
		t.Errorf("with nothing: %+v", got)
	}
	if got := (events.Stats{}).Add(one); !cmp.Equal(one, got) {
		t.Errorf("to nothing: %+v", got)
	}
}

func TestCountsAdd(t *testing.T) {
	one := events.Counts{Observed: 1, Folded: 2, Recorded: 3, Pending: 4, Dropped: map[events.DropReason]int64{events.Invalid: 5}}
	two := events.Counts{Observed: 2, Folded: 4, Recorded: 6, Pending: 8, Dropped: map[events.DropReason]int64{events.Invalid: 10}}
	if diff := cmp.Diff(two, one.Add(one)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Who reads the accounts knows whose they are.
func TestStatsVersion(t *testing.T) {
	for name, stats := range map[string]events.Stats{
		"events":  events.NewBroadcaster(nil).Stats(),
		"legacy":  legacy.NewBroadcaster().Stats(),
		"adapter": adapter.New(t.Context(), eventstest.NewClientset()).Stats(),
	} {
		if stats.Version != eventseries.Version() {
			t.Errorf("%s: version %q, want %q", name, stats.Version, eventseries.Version())
		}
	}
}

func TestAbandonedError(t *testing.T) {
	err := error(&events.AbandonedError{Occurrences: 7, Series: 3, Unconfirmed: 2, Err: context.DeadlineExceeded})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error("it does not wrap the context's error")
	}
	for _, want := range []string{"events: ", "7 occurrences", "3 series", "2 unconfirmed", "deadline"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the message lacks %q: %v", want, err)
		}
	}
	if strings.Contains(err.Error(), "stuck") {
		t.Errorf("nothing is stuck: %v", err)
	}
	for want, row := range map[string]struct {
		answer string
		rate   float32
	}{
		"of Pod shop/web: context canceled; raise the client's rate":                             {"", 0},
		"; the client allows 5 requests a second, and 10 series need 2 s: give Events a client":  {"", 5},
		"of Pod shop/web (the last answer of the API server there: too bad): context canceled\n": {"too bad", 5},
	} {
		lost := events.AbandonedError{Series: 10, Rate: row.rate, Err: context.Canceled, Busiest: []events.AbandonedIn{
			{Namespace: "shop", LastError: row.answer, Regarding: corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: "web"}},
		}}
		if text := lost.Error() + "\n"; !strings.Contains(text, want) {
			t.Errorf("the message lacks %q: %s", want, text)
		}
	}
	stuck := events.AbandonedError{Stuck: 2, Err: context.Canceled}
	if !strings.Contains(stuck.Error(), "2 goroutines are stuck") {
		t.Errorf("the message lacks the stuck goroutines: %v", stuck.Error())
	}
}
