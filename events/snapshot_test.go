// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/eventseries/eventseries"
	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/internal/testkit/tuning"
	"github.com/eventseries/eventseries/legacy"
)

// wait is the expected state of a series that waits.
type wait struct {
	For          events.Wait
	Since, Until time.Time
}

func waitOf(s events.SeriesState) wait { return wait{s.WaitsFor, s.WaitsSince, s.WaitsUntil} }

func TestInspectSeries(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		began := time.Now()
		r.record(2, "web")
		synctest.Wait()
		time.Sleep(time.Second)
		r.record(1, "web")
		web := events.SeriesState{
			Namespace: "default", Type: corev1.EventTypeNormal, Reason: "Killing", Action: "Kill",
			ReportingController: controller, Note: "stopping web",
			Regarding: corev1.ObjectReference{
				APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: "web", UID: "uid-web", ResourceVersion: "1",
			},
			Observed: 3, Recorded: 2, Pending: 1, First: began, Last: began.Add(time.Second),
			PendingSince: began.Add(time.Second),
			WaitsFor:     events.WaitInterval, WaitsUntil: began.Add(6*time.Minute + time.Second),
		}
		got := r.b.Snapshot(10)
		if len(got.Frequent) != 1 || got.Frequent[0].Name == "" {
			r.Fatalf("%+v, want one series with a name", got.Frequent)
		}
		if diff := cmp.Diff([]events.SeriesState{web}, got.Frequent, cmpopts.IgnoreFields(web, "Name")); diff != "" {
			r.Errorf("frequent (-want +got):\n%s", diff)
		}
		r.diff("waiting", got.Frequent, got.Waiting)
		r.diff("Stats", r.b.Stats(), got.Stats)
		if !got.Began.Equal(began) || !got.Time.Equal(time.Now()) {
			r.Errorf("from %v to %v", got.Began, got.Time)
		}
		r.flush()
		got = r.b.Snapshot(10)
		if len(got.Waiting) != 0 || got.Frequent[0].Recorded != 3 || got.Frequent[0].WaitsFor != "" {
			r.Errorf("after a flush: %+v", got)
		}
	})
}

func TestInspectSaysWhatSeriesWaitFor(t *testing.T) {
	inBubbleUnstarted(t, options{tuning.MaxInFlight(2)}, func(r *rig) {
		check := func(when string, want map[string]wait) {
			r.Helper()
			synctest.Wait()
			got := map[string]wait{}
			for _, s := range r.b.Snapshot(10).Frequent {
				got[s.Regarding.Name] = waitOf(s)
			}
			r.diff(when, want, got)
		}
		r.record(1, "web")
		check("before Start", map[string]wait{"web": {For: events.WaitStart}})
		r.sink.Hold()
		sent := time.Now()
		r.start(context.Background())
		synctest.Wait()
		r.record(1, "next")
		time.Sleep(500 * time.Millisecond)
		check("while a write is in flight", map[string]wait{
			"web": {For: events.WaitAnswer, Since: sent}, "next": {For: events.WaitTurn},
		})
		time.Sleep(time.Second)
		check("when it takes long", map[string]wait{
			"web": {For: events.WaitAnswer, Since: sent}, "next": {For: events.WaitNamespace},
		})
		r.sink.FailNext(2, errInvalid)
		r.sink.Release()
		synctest.Wait()
		later := time.Now().Add(time.Minute)
		check("after a refusal", map[string]wait{
			"web": {For: events.WaitEvent, Until: later}, "next": {For: events.WaitEvent, Until: later},
		})
		for _, s := range r.b.Snapshot(10).Frequent {
			if s.DroppedAs != events.DropRejected || s.Dropped != 1 || s.Attempts != 1 {
				r.Errorf("%s: %d dropped as %q after %d attempts", s.Regarding.Name, s.Dropped, s.DroppedAs, s.Attempts)
			}
		}
	})
}

// The gate that holds a series back is listed, with the time at which it opens.
func TestInspectGates(t *testing.T) {
	for want, err := range map[events.Wait]error{
		events.WaitServer: fmt.Errorf("dial: %w", syscall.ECONNREFUSED), events.WaitNamespace: apierrors.NewInternalError(errTimeout),
	} {
		subtest(t, string(want), nil, func(r *rig) {
			r.sink.FailNext(1000, err)
			r.record(1, "web")
			time.Sleep(time.Minute)
			r.record(1, "later") // the first series has failed twice, so it has a back-off of its own
			synctest.Wait()
			got := r.b.Snapshot(10)
			g, w := got.Gates[0], waitOf(got.Waiting[0])
			if want == events.WaitNamespace {
				g, w = got.Gates[1], waitOf(got.Waiting[1])
			}
			if !g.Closed || g.Failures < 5 || w.For != want || !w.Until.Equal(g.OpensAt) || w.Until.Before(time.Now()) {
				r.Errorf("%+v behind %+v", w, g)
			}
			r.sink.Heal()
		})
	}
}

// Exactly the options that were set are listed, as they are written in code. The caller may change
// the list.
func TestSnapshotOptions(t *testing.T) {
	b := events.NewBroadcaster(nil, quiet, events.WithMaxSeries(7), events.WithNotePolicy(events.NotesDistinct(8)),
		events.WithNotePolicy(events.NotesLatest, "Failed", "Synced"), events.WithMaxSeriesPerObject(9), eventstest.Strict(),
		events.WithDropHandler(func(events.Drop) {}), events.WithFinishInterval(3*time.Second))
	clear(b.Snapshot(0).Options)
	got := b.Snapshot(0).Options
	want := []string{
		"WithMaxSeries(7)", "WithNotePolicy(NotesDistinct(8))", "WithNotePolicy(NotesLatest, Failed, Synced)",
		"WithMaxSeriesPerObject(9)", "Strict()", "WithDropHandler()", "WithFinishInterval(3s)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The lists have the order that Snapshot promises, although the series are in many shards: the
// highest counts first, the longest wait first, and the labels by Compare.
func TestSnapshotIsSorted(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		const pods, listed = 20, 15
		r.sink.Hold() // so that all series wait
		var frequent, waiting, reasons []string
		for i := range pods {
			name := fmt.Sprintf("web-%02d", i)
			for range 1 + i {
				r.rec.Eventf(fixture.Pod("default", name), nil, "Normal", fmt.Sprintf("Reason%02d", pods-i), "Act", "")
			}
			frequent = append([]string{name}, frequent...)
			waiting = append(waiting, name)
			reasons = append(reasons, fmt.Sprintf("Reason%02d", i+1))
			time.Sleep(time.Second)
		}
		got := r.b.Snapshot(listed)
		names := func(all []events.SeriesState) (names []string) {
			for _, s := range all {
				names = append(names, s.Regarding.Name)
			}
			return names
		}
		r.diff("frequent", frequent[:listed], names(got.Frequent))
		r.diff("waiting", waiting[:listed], names(got.Waiting))
		var gotReasons []string
		for _, c := range got.Counts {
			gotReasons = append(gotReasons, c.Reason)
		}
		r.diff("counts", reasons, gotReasons)
		r.sink.Release()
	})
}

func TestMetricLabelsCompare(t *testing.T) {
	sorted := []events.MetricLabels{
		{"a", "a", "a", "a"}, {"a", "a", "a", "b"}, {"a", "a", "b", ""}, {"a", "b", "", ""}, {"b", "", "", ""},
	}
	for i, a := range sorted {
		for j, b := range sorted {
			if got := a.Compare(b); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("%v.Compare(%v) = %d", a, b, got)
			}
		}
	}
}

// Every reason for a drop and every kind of repair is a key even if its count is 0, because metrics
// need them from the start.
func TestStatsHasEveryKey(t *testing.T) {
	s := events.NewBroadcaster(nil).Stats()
	for _, reason := range stats.Reasons() {
		if n, ok := s.Dropped[events.DropReason(reason.String())]; !ok || n != 0 {
			t.Errorf("Dropped[%s] = %d, %v", reason, n, ok)
		}
	}
	for _, kind := range allRepairs {
		if n, ok := s.Repaired[kind]; !ok || n != 0 {
			t.Errorf("Repaired[%s] = %d, %v", kind, n, ok)
		}
	}
	if len(s.Dropped) != len(stats.Reasons()) || len(s.Repaired) != len(allRepairs) {
		t.Errorf("%d reasons, %d repairs", len(s.Dropped), len(s.Repaired))
	}
}

// The caller may change the maps.
func TestStatsIsACopy(t *testing.T) {
	b := events.NewBroadcaster(nil)
	s := b.Stats()
	s.Dropped[events.DropInvalid], s.Repaired[events.RepairNote] = 7, 7
	if again := b.Stats(); again.Dropped[events.DropInvalid]+again.Repaired[events.RepairNote] != 0 {
		t.Error("a snapshot is shared")
	}
}

// Add adds every field.
func TestStatsAdd(t *testing.T) {
	fill := func(factor int64) (s events.Stats) {
		v := reflect.ValueOf(&s).Elem()
		for i := range v.NumField() {
			if v.Field(i).CanInt() {
				v.Field(i).SetInt(factor * int64(i+1))
			}
		}
		s.Version = "v0.1.0"
		s.Dropped = map[events.DropReason]int64{events.DropInvalid: factor}
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

func TestLabeledCountsAdd(t *testing.T) {
	one := events.LabeledCounts{
		Observed:   1,
		Overflowed: 2,
		Recorded:   3,
		Pending:    4,
		Dropped:    map[events.DropReason]int64{events.DropInvalid: 5},
	}
	two := events.LabeledCounts{
		Observed:   2,
		Overflowed: 4,
		Recorded:   6,
		Pending:    8,
		Dropped:    map[events.DropReason]int64{events.DropInvalid: 10},
	}
	if diff := cmp.Diff(two, one.Add(one)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The Stats of every kind of broadcaster have the version of the SDK.
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
	for _, want := range []string{"events: ", "7 occurrences", "3 series", "unconfirmed: 2", "deadline"} {
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
		"; the client allows 5 requests a second, which takes 2 s for 10 series: give Events":    {"", 5},
		"of Pod shop/web (the last answer of the API server there: too bad): context canceled\n": {"too bad", 5},
	} {
		lost := events.AbandonedError{Series: 10, Rate: row.rate, Err: context.Canceled, TopNamespaces: []events.NamespaceLoss{
			{Namespace: "shop", LastError: row.answer, Regarding: corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: "web"}},
		}}
		if text := lost.Error() + "\n"; !strings.Contains(text, want) {
			t.Errorf("the message lacks %q: %s", want, text)
		}
	}
	stuck := events.AbandonedError{Stuck: 2, Err: context.Canceled}
	if !strings.Contains(stuck.Error(), "holds 2 goroutines") {
		t.Errorf("the message lacks the stuck goroutines: %v", stuck.Error())
	}
	one := events.AbandonedError{
		Occurrences: 1,
		Series:      1,
		Warnings:    1,
		Stuck:       1,
		Err:         context.Canceled,
	}
	for _, want := range []string{"1 occurrence of 1 series (Warnings: 1, unconfirmed: 0)", "holds 1 goroutine"} {
		if !strings.Contains(one.Error()+"\n", want) {
			t.Errorf("the message lacks %q: %v", want, one.Error())
		}
	}
}
