// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiclient_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/internal/apiclient"
)

func TestPatchGainsCountAndTime(t *testing.T) {
	s := serve(nil)
	bodies := map[string]map[string]any{}
	for name, sink := range s.sinks(t) {
		if _, err := sink.Patch(t.Context(), event(5), []byte(seriesPatch)); err != nil {
			t.Fatal(err)
		}
		bodies[name] = s.body(t)
	}
	want := map[string]any{
		"metadata": map[string]any{"resourceVersion": "7", "annotations": map[string]any{"team": "b"}},
		"series":   map[string]any{"count": 5.0, "lastObservedTime": "2026-11-20T12:01:00.123456Z"},
	}
	if diff := cmp.Diff(want, bodies["EventsV1"]); diff != "" {
		t.Errorf("through events.k8s.io/v1 (-want +got):\n%s", diff)
	}
	want["count"], want["lastTimestamp"] = 5.0, "2026-11-20T12:01:00Z"
	if diff := cmp.Diff(want, bodies["CoreV1"]); diff != "" {
		t.Errorf("through core/v1 (-want +got):\n%s", diff)
	}
}

// What is no series patch is passed on as it is.
func TestPatchWithoutSeries(t *testing.T) {
	if got := corePatch(t, event(1), `{"metadata":{}}`); got != `{"metadata":{}}` {
		t.Error(got)
	}
}

// corePatch returns the patch that is sent through core/v1.
func corePatch(t *testing.T, e *eventsv1.Event, patch string) string {
	t.Helper()
	s := serve(nil)
	if _, err := s.sinks(t)["CoreV1"].Patch(t.Context(), e, []byte(patch)); err != nil {
		t.Fatal(err)
	}
	return string(s.last().Body)
}

func TestPatchThatIsNone(t *testing.T) {
	elsewhere := event(5)
	elsewhere.Namespace = ""
	for data, e := range map[string]*eventsv1.Event{"": event(5), "[]": event(5), "{": event(5), seriesPatch: elsewhere} {
		_, err := sinksOver(fake.NewClientset())["CoreV1"].Patch(t.Context(), e, []byte(data))
		var construction *rest.RequestConstructionError
		if !errors.As(err, &construction) {
			t.Errorf("patch %q: %v", data, err)
		}
	}
}

// lookingSink is a foreign sink that looks at the Event of a patch.
type lookingSink struct {
	record.EventSink
	patched *corev1.Event
}

func (s *lookingSink) Patch(e *corev1.Event, _ []byte) (*corev1.Event, error) {
	s.patched = e
	return e, nil
}

func TestPatchThroughAForeignSink(t *testing.T) {
	foreign := &lookingSink{}
	writer, err := apiclient.NewCoreWriter(foreign)
	if err != nil {
		t.Fatal(err)
	}
	sink := apiclient.NewCoreV1(writer)
	if _, err := sink.Patch(t.Context(), event(5), []byte(seriesPatch)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(apiclient.ToCore(event(5)), foreign.patched); diff != "" {
		t.Errorf("the sink got (-want +got):\n%s", diff)
	}
	var unsendable *rest.RequestConstructionError
	if _, err := sink.Patch(t.Context(), event(5), []byte("null")); !errors.As(err, &unsendable) {
		t.Errorf("a patch of null: %v, want a RequestConstructionError", err)
	}
}
