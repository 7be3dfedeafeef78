// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestOnlySeriesAndMetadataChangeThroughEventsV1(t *testing.T) {
	for _, r := range []struct {
		field string
		edit  func(*corev1.Event)
	}{
		{"involvedObject", func(e *corev1.Event) { e.InvolvedObject.Name = "other" }},
		{"reason", reason("Other")},
		{"message", message("other")},
		{"source", func(e *corev1.Event) { e.Source.Host = "n2" }},
		{"firstTimestamp", func(e *corev1.Event) { e.FirstTimestamp.Time = moment.Add(time.Hour) }},
		{"lastTimestamp", func(e *corev1.Event) { e.LastTimestamp.Time = moment.Add(time.Hour) }},
		{"count", func(e *corev1.Event) { e.Count = 3 }},
		{"type", kind(corev1.EventTypeWarning)},
		{"eventTime", func(e *corev1.Event) { e.EventTime = metav1.NewMicroTime(moment.Add(time.Microsecond)) }},
		{"action", action("Other")},
		{"related", func(e *corev1.Event) { e.Related = &corev1.ObjectReference{Name: "other"} }},
		{"reportingController", controller("other")},
		{"reportingInstance", instance("other")},
		{"metadata.uid", func(e *corev1.Event) { e.UID = "other" }},
		{"metadata.name", name("other")},
	} {
		t.Run(r.field, func(t *testing.T) {
			want := []string{r.field}
			checkFields(t, ValidateUpdate(newStyle(r.edit), newStyle(asItIs), strict), want)
			if r.field != "metadata.uid" && r.field != "metadata.name" {
				want = nil
			}
			checkFields(t, ValidateUpdate(newStyle(r.edit), newStyle(asItIs), core), want)
		})
	}
}

func TestUpdateThroughEventsV1Accepts(t *testing.T) {
	deep := series(1, metav1.MicroTime{})
	for _, r := range []struct {
		name     string
		now, old *corev1.Event
	}{
		{"a first series", newStyle(series(2, moment)), newStyle(asItIs)},
		{"a smaller count", newStyle(series(2, moment)), newStyle(series(9, moment))},
		{"no series any more", newStyle(asItIs), newStyle(series(9, moment))},
		{"labels", newStyle(func(e *corev1.Event) { e.Labels = map[string]string{"a": "b"} }), newStyle(asItIs)},
		{"annotations", newStyle(func(e *corev1.Event) {
			e.Annotations = map[string]string{"a": "b"}
		}), newStyle(asItIs)},
		{"less than a microsecond", newStyle(func(e *corev1.Event) {
			e.EventTime = metav1.NewMicroTime(moment.Add(999 * time.Nanosecond))
		}), newStyle(asItIs)},
		{"an untouched invalid series", newStyle(deep), newStyle(deep)},
		{"a series on an old-style event", oldStyle(series(2, moment)), oldStyle(asItIs)},
		{"a series on a bad name", newStyle(as(name("Bad_Name"), series(2, moment))), newStyle(name("Bad_Name"))},
		{"a long message", oldStyle(as(message(long(5000)), series(2, moment))), oldStyle(message(long(5000)))},
	} {
		t.Run(r.name, func(t *testing.T) {
			checkFields(t, ValidateUpdate(r.now, r.old, strict), nil)
		})
	}
}

func TestUpdateRefuses(t *testing.T) {
	for _, r := range []struct {
		name     string
		now, old *corev1.Event
		want     []string
	}{
		{"a series of one", newStyle(series(1, moment)), newStyle(asItIs), []string{"series.count"}},
		{
			"a series without a time", newStyle(series(2, metav1.MicroTime{})), newStyle(asItIs),
			[]string{"series.lastObservedTime"},
		},
		{
			"no resource version", newStyle(func(e *corev1.Event) { e.ResourceVersion = "" }), newStyle(asItIs),
			[]string{"metadata.resourceVersion"},
		},
		{
			"a bad finalizer", newStyle(func(e *corev1.Event) { e.Finalizers = []string{"foo"} }), newStyle(asItIs),
			[]string{"metadata.finalizers"},
		},
	} {
		t.Run(r.name, func(t *testing.T) {
			checkFields(t, ValidateUpdate(r.now, r.old, strict), r.want)
		})
	}
}

func TestUpdateThroughCoreV1KeepsTheLegacyRules(t *testing.T) {
	checkFields(t, ValidateUpdate(newStyle(action("")), newStyle(asItIs), core), []string{"action"})
	loose := as(series(1, metav1.MicroTime{}), kind("Odd"))
	checkFields(t, ValidateUpdate(newStyle(loose), newStyle(asItIs), core), nil)
	oldAgain := func(e *corev1.Event) { e.EventTime, e.Action = metav1.MicroTime{}, "" }
	checkFields(t, ValidateUpdate(newStyle(oldAgain), newStyle(asItIs), core), nil)
}
