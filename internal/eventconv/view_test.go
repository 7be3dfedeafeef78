// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventconv

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var moment = metav1.NewMicroTime(time.Date(2026, 11, 20, 11, 25, 19, 80374000, time.UTC))

// everyField returns an Event in which no field is zero, so that a conversion which forgets a field
// fails the test.
func everyField(t *testing.T) *eventsv1.Event {
	t.Helper()
	event := &eventsv1.Event{
		ObjectMeta:               metav1.ObjectMeta{Namespace: "ns", Name: "n", Labels: map[string]string{"a": "b"}},
		EventTime:                moment,
		Series:                   &eventsv1.EventSeries{Count: 2, LastObservedTime: moment},
		ReportingController:      "controller",
		ReportingInstance:        "instance",
		Action:                   "action",
		Reason:                   "reason",
		Regarding:                corev1.ObjectReference{Name: "regarding"},
		Related:                  &corev1.ObjectReference{Name: "related"},
		Note:                     "note",
		Type:                     "type",
		DeprecatedSource:         corev1.EventSource{Component: "component"},
		DeprecatedFirstTimestamp: metav1.Time(moment),
		DeprecatedLastTimestamp:  metav1.Time{Time: moment.Add(time.Second)},
		DeprecatedCount:          3,
	}
	fields := reflect.ValueOf(*event)
	for i := range fields.NumField() {
		if f := fields.Type().Field(i); fields.Field(i).IsZero() && f.Name != "TypeMeta" {
			t.Fatalf("field %s is zero; set it here", f.Name)
		}
	}
	return event
}

func TestViewsAreLossless(t *testing.T) {
	event := everyField(t)
	if diff := cmp.Diff(event, FromCore(ToCore(event))); diff != "" {
		t.Errorf("FromCore(ToCore(event)) (-want +got):\n%s", diff)
	}
}
