// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// wait is what a series waits for.
type wait struct {
	For          string
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
	inBubbleUnstarted(t, options{events.WithMaxInFlight(2)}, func(r *rig) {
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
			if s.DroppedAs != string(events.Rejected) || s.Dropped != 1 {
				r.Errorf("%s: %d dropped as %q", s.Regarding.Name, s.Dropped, s.DroppedAs)
			}
		}
	})
}

// The gate that holds a series is listed, and says until when.
func TestInspectGates(t *testing.T) {
	for want, err := range map[string]error{
		events.WaitServer: fmt.Errorf("dial: %w", syscall.ECONNREFUSED), events.WaitNamespace: apierrors.NewInternalError(errTimeout),
	} {
		t.Run(want, func(t *testing.T) {
			inBubble(t, nil, func(r *rig) {
				r.sink.FailNext(1000, err)
				r.record(1, "web")
				time.Sleep(time.Minute)
				r.record(1, "later") // the first one has failed twice, and so has a back-off of its own
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
		})
	}
}

// The options that were set are shown as they are written in code, and no others. The list is the caller's.
func TestSnapshotOptions(t *testing.T) {
	b := events.NewBroadcaster(nil, quiet, events.WithMaxInFlight(7), events.WithNotes(events.NotesDistinct(8)),
		events.WithNotesFor("Failed", events.NotesLatest), events.WithObjectLimit(9), events.WithStrict(),
		events.WithDropHandler(func(events.Drop) {}), events.WithFinishInterval(3*time.Second))
	clear(b.Snapshot(0).Options)
	got := b.Snapshot(0).Options
	want := []string{
		"WithMaxInFlight(7)", "WithNotes(NotesDistinct(8))", "WithNotesFor(Failed, NotesLatest)", "WithObjectLimit(9)",
		"WithStrict()", "WithDropHandler()", "WithFinishInterval(3s)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// I1 in what is inspected while everything records, writes and drains: it is of one moment.
func TestI1SnapshotConcurrentSafe(t *testing.T) {
	b, rec := start(t, eventstest.NewSink(), events.WithMaxSeries(40))
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 2000 {
			record(rec, 1, fmt.Sprint("pod-", i%50))
		}
		b.Shutdown()
	}()
	for ended := false; !ended; {
		select {
		case <-done:
			ended = true
		default:
		}
		i := b.Snapshot(5)
		checkConserved(t, i.Stats)
		for _, s := range append(i.Frequent, i.Waiting...) {
			if s.Observed != s.Recorded+s.Pending+s.Dropped {
				t.Fatalf("%+v does not add up", s)
			}
		}
		if len(i.Frequent) > 5 || len(i.Waiting) > 5 {
			t.Fatalf("%d and %d series, want at most 5", len(i.Frequent), len(i.Waiting))
		}
	}
}

func TestLabelsCompare(t *testing.T) {
	sorted := []events.Labels{
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
