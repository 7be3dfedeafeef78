// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package count

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

// Caught: refused writes forgotten; a reason that only one of the three counts has left out.
func TestTable(t *testing.T) {
	rows := Table(
		map[string]map[string]int{Scheduler: {"Scheduled": 1}, Kubelet: {"BackOff": 9, "Killing": 1}},
		[]Write{{Kubelet, "BackOff", 201}, {Kubelet, "BackOff", 403}, {Scheduler, "Scheduled", 201}},
		[]Stored{
			{Component: Kubelet, Reason: "BackOff", Count: 4, Action: true},
			{Component: Kubelet, Reason: "BackOff", Count: 3, Action: true, Related: true},
			{Component: Scheduler, Reason: "Scheduled", Count: 1},
		})
	backOff := Row{Component: Kubelet, Reason: "BackOff", Occurrences: 9, Writes: 2, Refused: map[int]int{403: 1},
		Events: 2, Sum: 7, Action: 2, Related: 1}
	want := []Row{
		backOff,
		{Component: Kubelet, Reason: "Killing", Occurrences: 1},
		{Component: Scheduler, Reason: "Scheduled", Occurrences: 1, Writes: 1, Events: 1, Sum: 1},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if got := rows[0].Lost(); got != 2 {
		t.Errorf("lost %d, want 2", got)
	}
	total := backOff
	total.Reason, total.Occurrences = "", 10
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
			Stored{Component: Manager, Count: 7}},
		{"new, one", corev1.Event{ReportingController: "default-scheduler", Action: "Binding"},
			Stored{Component: Scheduler, Count: 1, Action: true}},
		{"new, a series", corev1.Event{ReportingController: "kubelet", Series: &corev1.EventSeries{Count: 5},
			Related: &corev1.ObjectReference{}}, Stored{Component: Kubelet, Count: 5, Related: true}},
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
