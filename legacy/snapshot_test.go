// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/events"
)

// Caught: an object that has nothing pending; a count of all objects; the newest occurrence for the oldest; a cause that
// is told as another one; a list without an end.
func TestInspect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		sink := &server{script: takes(20 * time.Second)}
		b, recorder := recordTo(sink, events.WithMaxInFlight(2))
		defer b.Shutdown()
		synctest.Wait()
		recorder.Event(pod("first"), corev1.EventTypeNormal, "One", "note")
		synctest.Wait()
		for _, reason := range []string{"Two", "Three", "Four"} {
			time.Sleep(500 * time.Millisecond)
			recorder.Event(pod("second"), corev1.EventTypeNormal, reason, "note")
		}
		time.Sleep(2 * time.Second)
		row := func(pod *corev1.ObjectReference, reason string, pending int64, at time.Time, wait string) events.SeriesState {
			return events.SeriesState{
				Namespace: "default", Regarding: *pod, Reason: reason, Type: "Normal", Note: "note",
				ReportingController: kubelet.Component, Observed: pending, Pending: pending,
				First: at, Last: at, PendingSince: at, WaitsFor: wait,
			}
		}
		later := began.Add(500 * time.Millisecond)
		want := []events.SeriesState{
			row(pod("first"), "One", 1, began, events.WaitAnswer),
			row(pod("second"), "Two", 3, later, events.WaitNamespace),
		}
		want[0].Attempts, want[0].WaitsSince = 1, began
		got := b.Snapshot(10)
		unnamed := cmpopts.IgnoreFields(events.SeriesState{}, "Name")
		if diff := cmp.Diff(want, got.Waiting, unnamed, cmp.Comparer(toTheSecond)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if len(got.Frequent) != 0 || got.Gates[0].Waiting != 1 || got.Gates[1].InFlight != 1 {
			t.Errorf("%+v", got)
		}
		if diff := cmp.Diff(b.Stats(), got.Stats); diff != "" {
			t.Errorf("Stats (-want +got):\n%s", diff)
		}
		if n := len(b.Snapshot(1).Waiting); n != 1 {
			t.Errorf("%d objects, want 1", n)
		}
		time.Sleep(time.Minute)
		sink.answer(func(sinkCall) error { return unavailable() })
		recorder.Event(pod("first"), corev1.EventTypeNormal, "Five", "note")
		time.Sleep(time.Minute)
		got = b.Snapshot(10)
		if w, g := got.Waiting[0], got.Gates[1]; w.WaitsFor != events.WaitNamespace || !g.Closed ||
			!w.WaitsUntil.Equal(g.OpensAt) {
			t.Errorf("%+v behind %+v", w, g)
		}
		sink.answer(nil)
	})
}

// toTheSecond compares times as core/v1 has them.
func toTheSecond(a, b time.Time) bool { return a.Truncate(time.Second).Equal(b.Truncate(time.Second)) }

// Caught: a value that is not the one in effect.
