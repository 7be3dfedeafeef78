// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

// Caught: an object that has nothing pending; a count of all objects; the newest occurrence for the oldest; a cause that
// is told as another one; a list without an end.
func TestInspect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		sink := &server{script: takes(20 * time.Second)}
		b, recorder := recordTo(sink, WithWorkers(2))
		defer b.Shutdown()
		synctest.Wait()
		recorder.Event(pod("first"), corev1.EventTypeNormal, "One", "note")
		synctest.Wait()
		for _, reason := range []string{"Two", "Three", "Four"} {
			time.Sleep(500 * time.Millisecond)
			recorder.Event(pod("second"), corev1.EventTypeNormal, reason, "note")
		}
		time.Sleep(2 * time.Second)
		want := []events.ObjectState{
			{
				Namespace: "default", Regarding: *pod("first"), Reason: "One", Pending: 1, PendingSince: began,
				Wait: events.Wait{For: events.WaitAnswer, Since: began},
			},
			{
				Namespace: "default", Regarding: *pod("second"), Reason: "Two", Pending: 3,
				PendingSince: began.Add(500 * time.Millisecond), Wait: events.Wait{For: events.WaitOneAtATime},
			},
		}
		got := b.Inspect(10)
		if diff := cmp.Diff(want, got.Objects, cmp.Comparer(toTheSecond)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if len(got.Frequent)+len(got.Waiting) != 0 || got.Gates.Waiting != 1 || got.Gates.Namespaces[0].InFlight != 1 {
			t.Errorf("%+v", got)
		}
		if diff := cmp.Diff(b.Stats(), got.Stats); diff != "" {
			t.Errorf("Stats (-want +got):\n%s", diff)
		}
		if n := len(b.Inspect(1).Objects); n != 1 {
			t.Errorf("%d objects, want 1", n)
		}
		time.Sleep(time.Minute)
		sink.answer(func(sinkCall) error { return unavailable() })
		recorder.Event(pod("first"), corev1.EventTypeNormal, "Five", "note")
		time.Sleep(time.Minute)
		got = b.Inspect(10)
		if w, g := got.Objects[0].Wait, got.Gates.Namespaces[0].Gate; w.For != events.WaitNamespaceGate || !g.Closed ||
			!w.Until.Equal(g.OpensAt) {
			t.Errorf("%+v behind %+v", w, g)
		}
		sink.answer(nil)
	})
}

// A queue whose last occurrence was recorded just now is still there, until its attempt has ended.
func TestListOfAnEmptyQueue(t *testing.T) {
	b := newBacklog(10, keyOf, &stats.LabelSets{})
	q, _, _ := b.add(&recorded{recorder: &Recorder{}, object: *pod("web")}, time.Now(), nil)
	if n := len(b.list(10)); n != 1 {
		t.Errorf("%d queues wait, want 1", n)
	}
	b.recorded(b.begin(q), request.Create)
	if n := len(b.list(10)); n != 0 {
		t.Errorf("%d queues wait, want none", n)
	}
}

// toTheSecond compares times as core/v1 has them.
func toTheSecond(a, b time.Time) bool { return a.Truncate(time.Second).Equal(b.Truncate(time.Second)) }

// Caught: a value that is not the one in effect.
func TestInspectSettings(t *testing.T) {
	got := map[string]string{}
	for _, s := range NewBroadcaster(
		WithWorkers(7), WithDrainTimeout(time.Second), WithLabels(map[string]string{"app": "web"}),
	).Inspect(0).Settings {
		if s.Value != s.Default {
			got[s.Option] = s.Value
		}
	}
	if diff := cmp.Diff(map[string]string{"WithWorkers": "7", "WithDrainTimeout": "1s", "WithLabels": "app=web"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
