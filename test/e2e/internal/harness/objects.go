// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/eventview"
)

// NewPod makes a pod on the server that nobody runs.
func (e *Env) NewPod(namespace, name string) *corev1.Pod {
	e.t.Helper()
	pod, err := e.Admin.CoreV1().Pods(namespace).Create(e.t.Context(), &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "example.com/none"}}},
	}, metav1.CreateOptions{})
	e.must(err)
	return pod
}

// Events returns the Events in namespace as events.k8s.io/v1 shows them, sorted by
// name and so by age.
func (e *Env) Events(namespace string) []eventsv1.Event {
	e.t.Helper()
	list, err := e.Admin.EventsV1().Events(namespace).List(e.t.Context(), metav1.ListOptions{})
	e.must(err)
	slices.SortFunc(list.Items, func(a, b eventsv1.Event) int { return strings.Compare(a.Name, b.Name) })
	return list.Items
}

// OnlyEvent returns the one Event in namespace.
func (e *Env) OnlyEvent(namespace string) eventsv1.Event {
	e.t.Helper()
	all := e.Events(namespace)
	if len(all) != 1 {
		e.t.Fatalf("%d Events in %s, want one: %v", len(all), namespace, summaries(all))
	}
	return all[0]
}

// CoreEvents returns the Events in namespace as core/v1 shows them.
func (e *Env) CoreEvents(namespace string) []corev1.Event {
	e.t.Helper()
	list, err := e.Admin.CoreV1().Events(namespace).List(e.t.Context(), metav1.ListOptions{})
	e.must(err)
	return list.Items
}

// Count is how many occurrences the Event stands for.
func Count(event *eventsv1.Event) int64 { return eventview.FromEventsV1(event).Count }

// Total is how many occurrences all of them stand for.
func Total(all []eventsv1.Event) (sum int64) {
	for i := range all {
		sum += Count(&all[i])
	}
	return sum
}

// summaries is what a failed test prints of Events.
func summaries(all []eventsv1.Event) (lines []string) {
	for i := range all {
		e := &all[i]
		lines = append(lines, fmt.Sprintf("%s %s/%s x%d", e.Name, e.Reason, e.Action, Count(e)))
	}
	return lines
}
