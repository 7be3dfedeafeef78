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

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// wait is what a series waits for.
type wait struct {
	For          string
	Since, Until time.Time
}

func waitOf(s events.SeriesState) wait { return wait{s.WaitsFor, s.WaitsSince, s.WaitsUntil} }

// waits returns what each listed series waits for, by the name of its object.
func waits(list []events.SeriesState) map[string]wait {
	all := map[string]wait{}
	for _, s := range list {
		all[s.Regarding.Name] = waitOf(s)
	}
	return all
}

// Caught: a field from another occurrence; a count that is not that of the server; a series that is listed as pending
// and is not.
func TestInspectSeries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		b, rec := start(t, eventstest.NewSink())
		record(rec, 2, "web")
		synctest.Wait()
		time.Sleep(time.Second)
		record(rec, 1, "web")
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
		got := b.Snapshot(10)
		if len(got.Frequent) != 1 || got.Frequent[0].Name == "" {
			t.Fatalf("%+v, want one series with a name", got.Frequent)
		}
		opts := cmp.Options{cmpopts.IgnoreFields(events.SeriesState{}, "Name")}
		if diff := cmp.Diff([]events.SeriesState{web}, got.Frequent, opts); diff != "" {
			t.Errorf("frequent (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(got.Frequent, got.Waiting); diff != "" {
			t.Errorf("waiting (-frequent +waiting):\n%s", diff)
		}
		if diff := cmp.Diff(b.Stats(), got.Stats); diff != "" {
			t.Errorf("Stats (-want +got):\n%s", diff)
		}
		if !got.Began.Equal(began) || !got.Time.Equal(time.Now()) {
			t.Errorf("from %v to %v", got.Began, got.Time)
		}
		flush(t, b)
		got = b.Snapshot(10)
		if len(got.Waiting) != 0 || got.Frequent[0].Recorded != 3 || got.Frequent[0].WaitsFor != "" {
			t.Errorf("after a flush: %+v", got)
		}
	})
}

// Caught: any cause that is told as another one.
func TestInspectSaysWhatSeriesWaitFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b := events.NewBroadcaster(sink, quiet, events.WithMaxInFlight(2))
		defer b.Shutdown()
		rec := newRecorder(b)
		record(rec, 1, "web")
		check := func(when string, want map[string]wait) {
			t.Helper()
			synctest.Wait()
			if diff := cmp.Diff(want, waits(b.Snapshot(10).Frequent)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", when, diff)
			}
		}
		check("before Start", map[string]wait{"web": {For: events.WaitStart}})
		sink.Hold()
		sent := time.Now()
		if err := b.Start(context.Background()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		record(rec, 1, "next")
		time.Sleep(500 * time.Millisecond)
		check("while a write is in flight", map[string]wait{
			"web": {For: events.WaitAnswer, Since: sent}, "next": {For: events.WaitTurn},
		})
		time.Sleep(time.Second)
		check("when it takes long", map[string]wait{
			"web": {For: events.WaitAnswer, Since: sent}, "next": {For: events.WaitNamespace},
		})
		sink.FailNext(2, errInvalid)
		sink.Release()
		synctest.Wait()
		refused := time.Now()
		check("after a refusal", map[string]wait{
			"web":  {For: events.WaitEvent, Until: refused.Add(time.Minute)},
			"next": {For: events.WaitEvent, Until: refused.Add(time.Minute)},
		})
		for _, s := range b.Snapshot(10).Frequent {
			if s.DroppedAs != string(events.Rejected) || s.Dropped != 1 {
				t.Errorf("%s: %d dropped as %q", s.Regarding.Name, s.Dropped, s.DroppedAs)
			}
		}
	})
}

// Caught: a closed gate that is not the one that holds the series; a gate that is not listed.
func TestInspectGates(t *testing.T) {
	for name, row := range map[string]struct {
		err  error
		want string
	}{
		"server":    {fmt.Errorf("dial: %w", syscall.ECONNREFUSED), events.WaitServer},
		"namespace": {errInternal, events.WaitNamespace},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink := eventstest.NewSink()
				sink.FailNext(1000, row.err)
				b, rec := start(t, sink)
				record(rec, 1, "web")
				time.Sleep(time.Minute)
				record(rec, 1, "later") // the first one has failed twice, and so has a back-off of its own
				synctest.Wait()
				got := b.Snapshot(10)
				g, w := got.Gates[0], waitOf(got.Waiting[0])
				if row.want == events.WaitNamespace {
					g, w = got.Gates[1], waitOf(got.Waiting[1])
				}
				if !g.Closed || g.Failures < 5 || w.For != row.want || !w.Until.Equal(g.OpensAt) || w.Until.Before(time.Now()) {
					t.Errorf("%+v behind %+v", w, g)
				}
				n := 0
				if row.want == events.WaitNamespace {
					n = -1 // the first failure may be about the Event alone
				}
				for _, s := range got.Waiting {
					n += s.Attempts
				}
				if n != g.Failures {
					t.Errorf("%d attempts, %d failures of the gate", n, g.Failures)
				}
				sink.Heal()
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

// What is inspected while everything records, writes and drains is of one moment: the accounts add up.
func TestInspectConcurrentSafe(t *testing.T) {
	b, rec := start(t, eventstest.NewSink())
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
