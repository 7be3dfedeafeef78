// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/events"
)

// Events have the labels of the broadcaster and of the recorder, which win; a repeat, of a recorder with others too, is
// counted and leaves them as they are.
//
// Caught: a patch that writes labels; a recorder without those of its broadcaster.
func TestLabels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &server{}
		b := NewBroadcaster(events.WithLabels(map[string]string{"app": "web", "team": "blue"}))
		b.StartRecordingToSink(sink)
		first := b.NewRecorder(scheme.Scheme, kubelet)
		second := first.(*Recorder).WithLabels(map[string]string{"team": "red"})
		for _, recorder := range []record.EventRecorder{first, second, first} {
			recorder.Event(pod("a"), "Normal", "Started", "note")
		}
		second.Event(pod("b"), "Normal", "Started", "note")
		b.Shutdown()
		requests := sink.requests()
		if len(requests) != 4 {
			t.Fatalf("%d requests, want a create and two patches about a, a create about b", len(requests))
		}
		want := map[string]map[string]string{"a": {"app": "web", "team": "blue"}, "b": {"app": "web", "team": "red"}}
		for _, r := range requests {
			if strings.Contains(r.Patch, "labels") {
				t.Errorf("patched %s", r.Patch)
			}
			if diff := cmp.Diff(want[r.Event.InvolvedObject.Name], r.Event.Labels); diff != "" && r.Patch == "" {
				t.Errorf("labels (-want +got):\n%s", diff)
			}
		}
	})
}

// What the server would refuse is left out, and logged.
func TestInvalidLabels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out buffer
		sink := &server{}
		b := NewBroadcaster(events.WithLogger(loggerTo(&out, 0)), events.WithLabels(map[string]string{"a b": "1", "app": "web"}))
		b.StartRecordingToSink(sink)
		recorder := b.NewEventsRecorder(nil, kubelet).WithLabels(map[string]string{"app": "-"})
		recorder.Eventf(pod("a"), nil, "Normal", "Started", "Start", "note")
		b.Shutdown()
		if diff := cmp.Diff(map[string]string{"app": "web"}, sink.requests()[0].Event.Labels); diff != "" {
			t.Errorf("labels (-want +got):\n%s", diff)
		}
		if text := out.String(); strings.Count(text, "Options replaced by their defaults, or left out") != 1 || !strings.Contains(text, `label \"a b\"`) {
			t.Errorf("logged %s", text)
		}
		if n := b.Stats().Repaired[events.RepairLabels]; n != 1 {
			t.Errorf("%d labels repaired, want 1", n)
		}
	})
}
