// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

type labels = map[string]string

// Which labels the Event of a series has.
//
// Caught: an older label that wins; a repeat that changes labels; a recorder that forgets those of its broadcaster.
func TestLabels(t *testing.T) {
	ofAll := events.WithLabels(labels{"app": "web", "team": "blue"})
	tests := []struct {
		name string
		opts []events.Option
		emit func(*events.Recorder)
		want labels
	}{
		{"none", nil, func(r *events.Recorder) { killing(r) }, nil},
		{"no labels", []events.Option{events.WithLabels(nil)}, func(r *events.Recorder) {
			killing(r.WithLabels(nil))
		}, nil},
		{"of the broadcaster", []events.Option{ofAll}, func(r *events.Recorder) {
			killing(r)
		}, labels{"app": "web", "team": "blue"}},
		{"several options", []events.Option{ofAll, events.WithLabels(labels{"team": "red", "zone": ""})},
			func(r *events.Recorder) { killing(r) }, labels{"app": "web", "team": "red", "zone": ""}},
		{"of the recorder", nil, func(r *events.Recorder) {
			killing(r.WithLabels(labels{"example.com/team": "red"}))
		}, labels{"example.com/team": "red"}},
		{"the recorder wins", []events.Option{ofAll}, func(r *events.Recorder) {
			killing(r.WithLabels(labels{"team": "red"}))
		}, labels{"app": "web", "team": "red"}},
		{"the newest wins", []events.Option{ofAll}, func(r *events.Recorder) {
			killing(r.WithLabels(labels{"team": "red", "a": "1"}).WithLabels(labels{"team": "green"}))
		}, labels{"app": "web", "team": "green", "a": "1"}},
		{"the first occurrence wins", nil, func(r *events.Recorder) {
			killing(r.WithLabels(labels{"team": "red"}))
			killing(r.WithLabels(labels{"team": "green"}))
			killing(r)
		}, labels{"team": "red"}},
		{"of another recorder", nil, func(r *events.Recorder) {
			r.WithLabels(labels{"team": "red"})
			killing(r)
		}, nil},
		{"they outlive other methods", nil, func(r *events.Recorder) {
			r = r.WithLabels(labels{"team": "red"}).WithLogger(klog.Logger{}).(*events.Recorder)
			r = r.WithNotes(events.NotesLatest).WithContext(t.Context())
			killing(r.WithReportingInstance("one"))
		}, labels{"team": "red"}},
		{"invalid ones leave the valid ones", []events.Option{ofAll}, func(r *events.Recorder) {
			killing(r.WithLabels(labels{"team": "not one", "a": "1"}))
		}, labels{"app": "web", "team": "blue", "a": "1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sink := eventstest.NewSink()
			b, r := start(t, sink, tt.opts...)
			tt.emit(r)
			flush(t, b)
			stored := only(t, sink)
			if diff := cmp.Diff(tt.want, stored.Labels); diff != "" {
				t.Errorf("labels (-want +got):\n%s", diff)
			}
		})
	}
}

// Labels are written by a Create, also by that of an Event that has expired, and by no Patch: others may have changed them.
func TestLabelsAreWrittenOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b, r := start(t, sink)
		r = r.WithLabels(labels{"app": "web"})
		for range 3 {
			events.AnnotatedEventf(r, newPod("web"), nil, labels{"time": time.Now().String()}, "Normal", "Killing", "Kill", "x")
			flush(t, b)
			time.Sleep(time.Second)
		}
		stored := only(t, sink)
		if !sink.Expire(stored.Namespace, stored.Name) {
			t.Fatal("nothing has expired")
		}
		events.AnnotatedEventf(r, newPod("web"), nil, nil, "Normal", "Killing", "Kill", "x")
		flush(t, b)
		for _, call := range sink.Calls() {
			if strings.Contains(string(call.Patch), "labels") {
				t.Errorf("patched %s", call.Patch)
			}
		}
		if stored = only(t, sink); stored.Labels["app"] != "web" || count(&stored) != 4 {
			t.Errorf("stored again: %v x%d", stored.Labels, count(&stored))
		}
	})
}

// An Event that the next process continues keeps the labels that the first one gave it.
//
// Caught: labels in what tells a series from another one's Event of the same name; a patch that writes them.
func TestContinuedEventsKeepLabels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		for _, team := range []string{"blue", "red"} {
			b, r := start(t, sink, events.WithContinuity(), events.WithLabels(labels{"team": team}))
			record(r, 3, "web")
			b.Shutdown()
			time.Sleep(time.Second)
		}
		stored := only(t, sink)
		if stored.Labels["team"] != "blue" || count(&stored) != 6 {
			t.Errorf("%v x%d, want team blue x6", stored.Labels, count(&stored))
		}
	})
}

// The Event that counts what a limit folds has the labels of its first occurrence.
//
// Caught: an overflow series without labels, of which no selector finds out.
func TestFoldedHaveLabels(t *testing.T) {
	sink := eventstest.NewSink()
	b, r := start(t, sink, events.WithObjectLimit(1), events.WithLabels(labels{"app": "web"}))
	for _, reason := range []string{"One", "Two", "Three"} {
		r.Eventf(newPod("web"), nil, "Normal", reason, "Kill", "x")
	}
	flush(t, b)
	got := map[string]labels{}
	for _, e := range sink.Events() {
		got[e.Reason] = e.Labels
	}
	want := map[string]labels{"One": {"app": "web"}, events.ReasonTooManyEvents: {"app": "web"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
}

// A watcher and an occurrence handler see the labels of each occurrence, which are theirs to change.
func TestWatchersSeeLabels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var handled, watched []string // by two goroutines
		see := func(all *[]string, event *eventsv1.Event) {
			*all = append(*all, event.Labels["team"])
			event.Labels["team"] = "changed"
		}
		b, r := start(t, eventstest.NewSink(), events.WithLabels(labels{"team": "blue"}),
			events.WithOccurrenceHandler(func(event *eventsv1.Event) { see(&handled, event) }))
		if _, err := b.StartEventWatcher(func(o runtime.Object) { see(&watched, o.(*eventsv1.Event)) }); err != nil {
			t.Fatal(err)
		}
		for _, recorder := range []events.EventRecorder{r, r.WithLabels(labels{"team": "red"})} {
			killing(recorder)
			synctest.Wait()
		}
		want := [][]string{{"blue", "red"}, {"blue", "red"}}
		if diff := cmp.Diff(want, [][]string{handled, watched}); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// Start reports every invalid label of the option, and the valid ones are used all the same.
func TestInvalidLabelsAreReported(t *testing.T) {
	sink := eventstest.NewSink()
	b := events.NewBroadcaster(sink, quiet, events.WithMaxInFlight(-1),
		events.WithLabels(labels{"a b": "1", "app": "web"}), events.WithLabels(labels{"zone": "-"}))
	err := b.Start(t.Context())
	for _, part := range []string{"events: WithMaxInFlight(-1)", `events: WithLabels: label "a b"="1"`, `label "zone"="-"`} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("Start() = %v, want %q in it", err, part)
		}
	}
	if diff := cmp.Diff(labels{"app": "web"}, newRecorder(b).Labels()); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
}

// The map belongs to its owner, which may change it later, and so does the map of Labels.
func TestLabelsKeepNothing(t *testing.T) {
	mine := labels{"app": "web"}
	sink := eventstest.NewSink()
	b, r := start(t, sink, events.WithLabels(mine))
	labelled := r.WithLabels(mine)
	mine["app"], labelled.Labels()["app"] = "changed", "changed"
	killing(labelled)
	flush(t, b)
	if got := only(t, sink).Labels["app"]; got != "web" {
		t.Errorf("app = %q, want web", got)
	}
}

// The test kit's recorder has the same method, and is one that code may hold.
func TestRecorderOfATestWithLabels(t *testing.T) {
	recorder := eventstest.NewRecorder(t)
	killing(recorder.WithLabels(labels{"app": "web"}))
	want := eventstest.Only{{Reason: "Killing", Labels: labels{"app": "web"}}}
	if err := recorder.Check(want); err != nil {
		t.Error(err)
	}
}
