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
)

// Events have the labels of the broadcaster and of the recorder, which win; a repeat, of a recorder with others too, is
// counted and leaves them as they are.
//
// Caught: a patch that writes labels; a recorder without those of its broadcaster.
func TestLabels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &server{}
		b := NewBroadcaster(WithLabels(map[string]string{"app": "web", "team": "blue"}))
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

// What the server would refuse is left out, and logged once a minute with what is wrong.
func TestInvalidLabels(t *testing.T) {
	var out buffer
	b := NewBroadcaster(WithLogger(loggerTo(&out, 0)), WithLabels(map[string]string{"a b": "1", "app": "web"}))
	defer b.Shutdown()
	recorder := b.NewEventsRecorder(nil, kubelet).WithLabels(map[string]string{"app": "-"}).(*EventRecorderAdapter)
	var got map[string]string
	r, err := recorder.recorder.(*Recorder).recorded(&call{regarding: pod("a"), eventType: "Normal"})
	if err == nil {
		got = r.event().Labels
	}
	if diff := cmp.Diff(map[string]string{"app": "web"}, got); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
	if text := out.String(); strings.Count(text, "Labels left out") != 1 || !strings.Contains(text, `label \"a b\"`) {
		t.Errorf("logged %s", text)
	}
}

// A recorder that is not the SDK's, or none, takes no labels.
func TestForeignRecorderTakesNoLabels(t *testing.T) {
	for _, a := range []*EventRecorderAdapter{nil, FromLegacy(record.NewFakeRecorder(1))} {
		if got := a.WithLabels(map[string]string{"app": "web"}); got != a {
			t.Errorf("WithLabels() = %v, want the adapter itself", got)
		}
	}
}

// Long labels count in the limit of the queue, as all texts do.
func TestLabelsHaveAWeight(t *testing.T) {
	r := &recorded{recorder: &Recorder{}}
	bare := r.weight()
	r.recorder.labels = strings.Repeat("l", 2048)
	if got := r.weight() - bare; got != 2 {
		t.Errorf("2 KiB of labels weigh %d, want 2", got)
	}
}
