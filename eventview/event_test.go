// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventview_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/eventseries/eventseries/eventview"
)

var noon = time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)

func at(minutes float64) time.Time { return noon.Add(time.Duration(minutes * float64(time.Minute))) }

func second(minutes float64) metav1.Time { return metav1.NewTime(at(minutes).Truncate(time.Second)) }

func micro(minutes float64) metav1.MicroTime { return metav1.NewMicroTime(at(minutes)) }

// Each writer fills in other fields of an Event, and the view of all of them is right. The corpus
// has the times and counts of real Events.
func TestOfCoreByWriter(t *testing.T) {
	pod := corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web", UID: "1"}
	for _, test := range []struct {
		writer string
		event  corev1.Event
		want   eventview.Event
	}{{
		writer: "tools/record of client-go before 1.27",
		event: corev1.Event{
			Source:         corev1.EventSource{Component: "kubelet", Host: "node-1"},
			FirstTimestamp: second(0), LastTimestamp: second(0), Count: 1,
		},
		want: eventview.Event{Controller: "kubelet", Instance: "node-1", First: at(0), Last: at(0), Count: 1},
	}, {
		writer: "this SDK through core/v1",
		event: corev1.Event{
			EventTime: micro(0.01), FirstTimestamp: second(0.01), LastTimestamp: second(50.01), Count: 70,
			Series: &corev1.EventSeries{Count: 70, LastObservedTime: micro(50.01)},
			Source: corev1.EventSource{Component: "crashes"}, ReportingController: "crashes", ReportingInstance: "c-1",
		},
		want: eventview.Event{Controller: "crashes", Instance: "c-1", First: at(0.01), Last: at(50.01), Count: 70, Series: true},
	}, {
		writer: "KubeBlocks: eventTime moves with each occurrence",
		event: corev1.Event{
			EventTime: micro(9.01), FirstTimestamp: second(0), LastTimestamp: second(9), Count: 10,
			ReportingController: "lorry", ReportingInstance: "web",
		},
		want: eventview.Event{Controller: "lorry", Instance: "web", First: at(0), Last: at(9.01), Count: 10},
	}, {
		writer: "this SDK with shared counts and the latest note",
		event: corev1.Event{
			ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{
				"eventseries.dev/counts":      `[{"instance":"a","id":"1","count":3},{"instance":"b","id":"2","count":4}]`,
				"eventseries.dev/latest-note": "the second",
			}},
			Message: "the first", EventTime: micro(0), Series: &corev1.EventSeries{Count: 7, LastObservedTime: micro(9)},
		},
		want: eventview.Event{
			Note: "the first", NewestNote: "the second", First: at(0), Last: at(9), Count: 7, Series: true,
			Shares: []eventview.Share{{Instance: "a", ID: "1", Count: 3}, {Instance: "b", ID: "2", Count: 4}},
		},
	}, {
		writer: "none: no time and no count",
		want:   eventview.Event{Count: 1},
	}, {
		writer: "none: only the server's time",
		event:  corev1.Event{ObjectMeta: metav1.ObjectMeta{CreationTimestamp: second(3)}},
		want:   eventview.Event{First: at(3), Last: at(3), Created: at(3), Count: 1},
	}, {
		writer: "a clock that is an hour ahead",
		event: corev1.Event{
			ObjectMeta: metav1.ObjectMeta{CreationTimestamp: second(3)},
			EventTime:  micro(63), Series: &corev1.EventSeries{Count: 2, LastObservedTime: micro(64)},
		},
		want: eventview.Event{First: at(63), Last: at(64), Created: at(3), Count: 2, Series: true},
	}, {
		writer: "hostile: negative counts, a series of nothing, the end before the beginning",
		event: corev1.Event{
			ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{"eventseries.dev/counts": `[{"id":"1","count":-3}]`}},
			EventTime:  micro(9), LastTimestamp: second(1), Count: math.MinInt32, Series: &corev1.EventSeries{Count: -1},
		},
		want: eventview.Event{First: at(9), Last: at(9), Count: 1, Series: true},
	}} {
		t.Run(test.writer, func(t *testing.T) {
			e := test.event
			e.Namespace, e.Name, e.UID, e.ResourceVersion = "default", "web.1", "u", "5"
			e.Type, e.Reason, e.Action, e.InvolvedObject, e.Related = "Warning", "BackOff", "Restart", pod, &pod
			want := test.want
			want.Namespace, want.Name, want.UID, want.ResourceVersion = "default", "web.1", "u", "5"
			want.Type, want.Reason, want.Action, want.Regarding, want.Related = "Warning", "BackOff", "Restart", pod, pod
			if diff := cmp.Diff(want, eventview.FromCoreV1(&e)); diff != "" {
				t.Errorf("FromCoreV1() (-want +got):\n%s", diff)
			}
			e.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Event"}
			got, err := eventview.FromUnstructured(loose(t, &e))
			if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) })); diff != "" || err != nil {
				t.Errorf("FromUnstructured(): %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func loose(t testing.TB, object runtime.Object) *unstructured.Unstructured {
	data, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	u := &unstructured.Unstructured{}
	if err := json.Unmarshal(data, &u.Object); err != nil {
		t.Fatal(err)
	}
	return u
}

// An Event has the same view through both APIs.
func TestOfBothAPIs(t *testing.T) {
	related := corev1.ObjectReference{Kind: "Node", Name: "n"}
	v1 := &eventsv1.Event{
		ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "b"},
		EventTime:  micro(1), Series: &eventsv1.EventSeries{Count: 3, LastObservedTime: micro(2)},
		ReportingController: "c", ReportingInstance: "i", Action: "A", Reason: "R", Regarding: corev1.ObjectReference{Name: "o"},
		Related: &related, Note: "note", Type: "Normal", DeprecatedSource: corev1.EventSource{Component: "x", Host: "h"},
		DeprecatedFirstTimestamp: second(0), DeprecatedLastTimestamp: second(4), DeprecatedCount: 2,
	}
	core := &corev1.Event{
		ObjectMeta: v1.ObjectMeta, EventTime: v1.EventTime, Series: &corev1.EventSeries{Count: 3, LastObservedTime: micro(2)},
		ReportingController: "c", ReportingInstance: "i", Action: "A", Reason: "R", InvolvedObject: v1.Regarding,
		Related: &related, Message: "note", Type: "Normal", Source: v1.DeprecatedSource,
		FirstTimestamp: second(0), LastTimestamp: second(4), Count: 2,
	}
	if diff := cmp.Diff(eventview.FromEventsV1(v1), eventview.FromCoreV1(core)); diff != "" {
		t.Errorf("FromEventsV1(), FromCoreV1():\n%s", diff)
	}
}

func TestOver(t *testing.T) {
	e := eventview.Event{Last: at(0)}
	if e.Ended(at(36)) || !e.Ended(at(36.1)) {
		t.Errorf("36 minutes: %v, later: %v; want false, true", e.Ended(at(36)), e.Ended(at(36.1)))
	}
}

func TestOfUnstructuredErrors(t *testing.T) {
	for want, text := range map[string]string{
		"apps/v1":   `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"namespace":"a","name":"b"}}`,
		"EventList": `{"apiVersion":"v1","kind":"EventList"}`,
		"a/series":  `{"apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{"namespace":"a","name":"series"},"series":"many"}`,
		"a/count":   `{"apiVersion":"v1","kind":"Event","metadata":{"namespace":"a","name":"count"},"count":"many"}`,
	} {
		u := &unstructured.Unstructured{}
		if err := json.Unmarshal([]byte(text), &u.Object); err != nil {
			t.Fatal(err)
		}
		if _, err := eventview.FromUnstructured(u); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error about %s", text, err, want)
		}
	}
}

// FromUnstructured does not panic, whatever a server sends, and a view that it returns is valid.
func FuzzOfUnstructured(f *testing.F) {
	f.Add([]byte(`{"apiVersion":"v1","kind":"Event","count":3,"firstTimestamp":"2026-11-25T12:00:00Z"}`))
	f.Add([]byte(`{"apiVersion":"events.k8s.io/v1","kind":"Event","eventTime":"2026-11-25T12:00:00.000000Z","series":{"count":-1}}`))
	f.Add([]byte(`{"apiVersion":"v1","kind":"Event","lastTimestamp":"9999-01-01T00:00:00Z","series":{"lastObservedTime":null}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		u := &unstructured.Unstructured{}
		if json.Unmarshal(data, &u.Object) != nil {
			return
		}
		e, err := eventview.FromUnstructured(u)
		if err != nil {
			return
		}
		if e.Count < 1 || e.Last.Before(e.First) {
			t.Errorf("count %d, first %v, last %v", e.Count, e.First, e.Last)
		}
		tracker := eventview.NewTracker(noon, 1)
		first, again := tracker.Observe(&e), tracker.Observe(&e)
		if first.New+first.Earlier != e.Count || again != (eventview.Delta{}) {
			t.Errorf("a count of %d adds %+v, and again %+v", e.Count, first, again)
		}
		for _, size := range []int{0, 50, 200} {
			if text := eventview.Digest([]eventview.Event{e, e}, size, noon); len(text) > size {
				t.Errorf("%d bytes, want at most %d: %q", len(text), size, text)
			}
		}
	})
}
