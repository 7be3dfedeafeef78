// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sinks_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	testingclock "k8s.io/utils/clock/testing"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/sinks"
)

var apis = map[string]func(kubernetes.Interface) events.Sink{
	"EventsV1": func(c kubernetes.Interface) events.Sink { return sinks.EventsV1(c.EventsV1()) },
	"CoreV1":   func(c kubernetes.Interface) events.Sink { return sinks.CoreV1(c.CoreV1()) },
}

// store writes an Event through sinks, and returns the object that the cluster then has.
func store(t *testing.T, create, patch string) eventsv1.Event {
	t.Helper()
	client := eventstest.NewClientset()
	client.SetClock(testingclock.NewFakePassiveClock(moment))
	if _, err := apis[create](client).Create(t.Context(), newEvent("a")); err != nil {
		t.Fatal(err)
	}
	for n := int32(2); n < 5; n++ {
		e, data := counted("a", n)
		if _, err := apis[patch](client).Patch(t.Context(), e, data); err != nil {
			t.Fatal(err)
		}
	}
	wrote := client.Writes()
	viaV1, viaCore := wrote.EventsV1.Creates+wrote.EventsV1.Patches, wrote.CoreV1.Creates+wrote.CoreV1.Patches
	if want := map[bool]int64{true: 1}[create == "CoreV1"] + map[bool]int64{true: 3}[patch == "CoreV1"]; viaCore != want || viaV1 != 4-want {
		t.Errorf("%d writes through events.k8s.io/v1 and %d through core/v1, want %d and %d", viaV1, viaCore, 4-want, want)
	}
	return client.Events()[0]
}

// The cluster has the same object if the writes go through either API, or through both in turn.
func TestAPISinksWriteTheSameObject(t *testing.T) {
	want := store(t, "EventsV1", "EventsV1")
	if want.Series == nil || want.Series.Count != 4 || want.Note != "stopping" || want.Related.Name != "node" {
		t.Fatalf("through events.k8s.io/v1: %+v", want)
	}
	for create := range apis {
		for patch := range apis {
			t.Run(create+" continued by "+patch, func(t *testing.T) {
				got := store(t, create, patch)
				if create == "CoreV1" && patch == "CoreV1" { // whose times are in whole seconds
					first, last := got.DeprecatedFirstTimestamp.Time, got.DeprecatedLastTimestamp.Time
					if got.DeprecatedCount != 4 || got.DeprecatedSource.Component != "example.com/controller" ||
						!first.Equal(moment.Truncate(time.Second)) || last.Sub(first) != 4*time.Second {
						t.Errorf("what readers of core/v1 know: %+v", got)
					}
				}
				got.DeprecatedSource, got.DeprecatedCount = want.DeprecatedSource, 0
				got.DeprecatedFirstTimestamp, got.DeprecatedLastTimestamp = metav1.Time{}, metav1.Time{}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("other than through events.k8s.io/v1 (-want +got):\n%s", diff)
				}
			})
		}
	}
}
