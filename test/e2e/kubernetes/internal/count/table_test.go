// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package count

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Caught: refused writes forgotten; a reason that only one of the three counts has left out.
func TestTable(t *testing.T) {
	rows := Table(
		slices.Concat(
			[]Occurrence{{Subject{Scheduler, "Pod a", "Scheduled"}, false}, {Subject{Kubelet, "Pod b", "Killing"}, true}},
			slices.Repeat([]Occurrence{{Subject{Kubelet, "Pod a", "BackOff"}, false}}, 8),
			[]Occurrence{{Subject{Kubelet, "Pod a", "BackOff"}, true}}),
		[]Write{{Kubelet, "BackOff", 201}, {Kubelet, "BackOff", 403}, {Scheduler, "Scheduled", 201}},
		[]Stored{
			{Subject: Subject{Kubelet, "Pod a", "BackOff"}, Count: 4, Action: true},
			{Subject: Subject{Kubelet, "Pod a", "BackOff"}, Count: 3, Action: true, Related: true, Annotated: true},
			{Subject: Subject{Scheduler, "Pod a", "Scheduled"}, Count: 1},
		})
	backOff := Row{Component: Kubelet, Reason: "BackOff", Occurrences: 9, Late: 1, Writes: 2, Refused: map[int]int{403: 1},
		Events: 2, Sum: 7, Action: 2, Related: 1, Annotated: 1}
	want := []Row{
		backOff,
		{Component: Kubelet, Reason: "Killing", Occurrences: 1, Late: 1},
		{Component: Scheduler, Reason: "Scheduled", Occurrences: 1, Writes: 1, Events: 1, Sum: 1},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if lost, early := rows[0].Lost(), rows[0].Early(); lost != 2 || early != 1 {
		t.Errorf("lost %d, of them early %d; want 2 and 1", lost, early)
	}
	total := backOff
	total.Reason, total.Occurrences, total.Late = "", 10, 2
	if diff := cmp.Diff([]Row{total, {Component: Scheduler, Occurrences: 1, Writes: 1, Events: 1, Sum: 1}}, Totals(rows)); diff != "" {
		t.Errorf("totals: -want +got\n%s", diff)
	}
}

// Caught: a name with a vowel taken for a random one; the time of a CronJob kept.
func TestObjectsHaveTheSameNameInEveryRun(t *testing.T) {
	for name, want := range map[string]string{
		"crash-0":                  "crash-0",
		"no-start":                 "no-start",
		"no-start-7d9f8b6c5-xk2zp": "no-start",
		"web-7d9f8b6c5":            "web",
		"agent-xk2zp":              "agent",
		"minutely-29384756":        "minutely",
		"minutely-29384756-xk2zp":  "minutely",
		"node-01":                  "node-01",
	} {
		event := &corev1.Event{InvolvedObject: corev1.ObjectReference{Kind: "Pod", Name: name}}
		if got := OfEvent(event).Object; got != "Pod "+want {
			t.Errorf("object of %s: %q, want %q", name, got, want)
		}
	}
}

// Caught: the count of a series that client-go's other recorder leaves at zero.
func TestCountOfAnEvent(t *testing.T) {
	for _, test := range []struct {
		name  string
		event corev1.Event
		want  Stored
	}{
		{"old", corev1.Event{Count: 7, Source: corev1.EventSource{Component: "job-controller"}},
			Stored{Subject: Subject{Component: Manager}, Count: 7}},
		{"new, one", corev1.Event{ReportingController: "default-scheduler", Action: "Binding"},
			Stored{Subject: Subject{Component: Scheduler}, Count: 1, Action: true}},
		{"new, a series", corev1.Event{ReportingController: "kubelet", Series: &corev1.EventSeries{Count: 5},
			ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{"starved_resource": "memory"}}, Related: &corev1.ObjectReference{}},
			Stored{Subject: Subject{Component: Kubelet}, Count: 5, Related: true, Annotated: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := OfEvent(&test.event)
			got.Object, got.Bytes = "", 0
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}
