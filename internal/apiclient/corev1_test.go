// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiclient_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/internal/apiclient"
)

// internal names fields as the API server's conversion from events.k8s.io/v1
// does; core/v1 has the same names.
func internal(body map[string]any) map[string]any {
	names := map[string]string{
		"reportingController": "reportingComponent", "regarding": "involvedObject", "note": "message",
		"deprecatedSource": "source", "deprecatedCount": "count",
		"deprecatedFirstTimestamp": "firstTimestamp", "deprecatedLastTimestamp": "lastTimestamp",
	}
	converted := map[string]any{}
	for name, value := range body {
		if to, ok := names[name]; ok {
			name = to
		}
		converted[name] = value
	}
	converted["apiVersion"] = "v1"
	return converted
}

// Both APIs store the same object; through core/v1 it has its readers' own
// fields in addition.
func TestBothCreateTheSameObject(t *testing.T) {
	for name, row := range map[string]struct {
		count int32
		last  string
	}{"one occurrence": {1, "2026-11-20T12:00:00Z"}, "a series": {5, "2026-11-20T12:01:00Z"}} {
		t.Run(name, func(t *testing.T) {
			bodies := map[string]map[string]any{}
			s := serve(nil)
			for name, sink := range s.sinks(t) {
				if _, err := sink.Create(t.Context(), event(row.count)); err != nil {
					t.Fatal(err)
				}
				bodies[name] = s.body(t)
			}
			want := internal(bodies["EventsV1"])
			want["source"] = map[string]any{"component": "example.com/test"}
			want["count"] = float64(row.count)
			want["firstTimestamp"], want["lastTimestamp"] = "2026-11-20T12:00:00Z", row.last
			if diff := cmp.Diff(want, bodies["CoreV1"]); diff != "" {
				t.Errorf("through core/v1 (-want +got):\n%s", diff)
			}
			if bodies["CoreV1"]["eventTime"] != "2026-11-20T12:00:00.123456Z" {
				t.Errorf("eventTime %v", bodies["CoreV1"]["eventTime"])
			}
		})
	}
}

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

func TestPatchOfTheLargestCount(t *testing.T) {
	got := corePatch(t, event(math.MaxInt32), `{"series":{"count":2147483647}}`)
	want := `{"count":2147483647,"lastTimestamp":"2026-11-20T12:01:00Z","series":{"count":2147483647}}`
	if got != want {
		t.Errorf("%s, want %s", got, want)
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
	for _, data := range []string{"", "[]", "{"} {
		_, err := sinksOver(fake.NewClientset())["CoreV1"].Patch(t.Context(), event(5), []byte(data))
		var construction *rest.RequestConstructionError
		if !errors.As(err, &construction) {
			t.Errorf("patch %q: %v", data, err)
		}
	}
}

func TestRequests(t *testing.T) {
	s := serve(nil)
	const create, patch = ": application/json", "/web.1: application/strategic-merge-patch+json"
	for name, path := range map[string]string{
		"EventsV1": "/apis/events.k8s.io/v1/namespaces/default/events", "CoreV1": "/api/v1/namespaces/default/events",
	} {
		sink := s.sinks(t)[name]
		for i, call := range []string{"create", "patch"} {
			if _, err := calls[call](t.Context(), sink); err != nil {
				t.Fatal(err)
			}
			want := [...]string{"POST " + path + create, "PATCH " + path + patch}[i]
			if got := s.last().String() + ": " + s.last().Header.Get("Content-Type"); got != want {
				t.Errorf("%s, %s: sent %s, want %s", name, call, got, want)
			}
		}
	}
}

// The fakes of client-go have no REST client behind them.
func TestFakes(t *testing.T) {
	client := fake.NewClientset()
	for name, sink := range sinksOver(client) {
		t.Run(name, func(t *testing.T) {
			stored, err := sink.Create(t.Context(), event(1))
			if err != nil || stored.Name != "web.1" || stored.Note != "no luck" {
				t.Fatalf("%+v, %v", stored, err)
			}
			stored, err = sink.Patch(t.Context(), event(5), []byte(`{"series":{"count":5}}`))
			if err != nil || stored.Series == nil || stored.Series.Count != 5 {
				t.Errorf("%+v, %v", stored, err)
			}
		})
	}
	core, err := client.CoreV1().Events("default").Get(t.Context(), "web.1", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if core.Count != 5 || core.Series.Count != 5 || core.Message != "no luck" || core.InvolvedObject.Name != "web" {
		t.Errorf("%+v", core)
	}
}

// A patch of {} asks what is stored, which the event that is passed with it does not say.
//
// Caught: answering through core/v1 with the event as it was sent.
func TestAnswerIsWhatIsStored(t *testing.T) {
	client := fake.NewClientset()
	for name, sink := range sinksOver(client) {
		created, err := sink.Create(t.Context(), event(5))
		if err != nil {
			t.Fatal(err)
		}
		passed := event(1)
		passed.Note = "another"
		stored, err := sink.Patch(t.Context(), passed, []byte(`{}`))
		if err != nil {
			t.Fatal(err)
		}
		for call, answer := range map[string]*eventsv1.Event{"Create": created, "Patch": stored} {
			answer = answer.DeepCopy()
			answer.TypeMeta, answer.ManagedFields = metav1.TypeMeta{}, nil
			answer.DeprecatedSource, answer.DeprecatedCount = corev1.EventSource{}, 0
			answer.DeprecatedFirstTimestamp, answer.DeprecatedLastTimestamp = metav1.Time{}, metav1.Time{}
			if diff := cmp.Diff(event(5), answer); diff != "" {
				t.Errorf("%s, %s answered (-stored +answered):\n%s", name, call, diff)
			}
		}
	}
}

func TestFakesPassErrorsOn(t *testing.T) {
	client := fake.NewClientset()
	for name, sink := range sinksOver(client) {
		if _, err := sink.Patch(t.Context(), event(5), []byte(seriesPatch)); err == nil {
			t.Errorf("%s: a patch of nothing succeeds", name)
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

// Caught: an Event of metadata only for a foreign sink; a panic for a patch that is null.
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
