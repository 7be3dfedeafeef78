// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sinks_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	testingclock "k8s.io/utils/clock/testing"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
	"github.com/eventseries/eventseries/sinks"
)

var apis = []struct {
	name string
	sink func(kubernetes.Interface) events.Sink
	path string
}{
	{
		"EventsV1", func(c kubernetes.Interface) events.Sink { return sinks.EventsV1(c.EventsV1()) },
		"/apis/events.k8s.io/v1/namespaces/default/events",
	},
	{
		"CoreV1", func(c kubernetes.Interface) events.Sink { return sinks.CoreV1(c.CoreV1()) },
		"/api/v1/namespaces/default/events",
	},
}

// A server that says "later" is asked once: the waiting is the broadcaster's part.
func TestAPISinksSendOneRequest(t *testing.T) {
	for _, api := range apis {
		t.Run(api.name, func(t *testing.T) {
			server := apiserver.New()
			server.Fail(func(context.Context, eventstest.Request) error { return apierrors.NewTooManyRequests("APF", 1) })
			sink := api.sink(server.Client())
			_, createErr := sink.Create(t.Context(), newEvent("a"))
			e, patch := counted("a", 2)
			_, patchErr := sink.Patch(t.Context(), e, patch)
			for op, err := range map[string]error{"Create": createErr, "Patch": patchErr} {
				if seconds, ok := apierrors.SuggestsClientDelay(err); !ok || seconds != 1 {
					t.Errorf("%s: %v, want the server's 429 and its word to wait 1 s", op, err)
				}
			}
			if requests := server.Requests(); len(requests) != 2 {
				t.Errorf("requests: %v, want one per call", requests)
			}
		})
	}
}

// What is sent, on the wire.
func TestAPISinksOnTheWire(t *testing.T) {
	for _, api := range apis {
		t.Run(api.name, func(t *testing.T) {
			server := apiserver.New()
			sink := api.sink(server.Client())
			stored, err := sink.Create(t.Context(), newEvent("a"))
			if err != nil || stored.ResourceVersion != "1" {
				t.Errorf("Create() = %v, %v, want resourceVersion 1", stored, err)
			}
			e, patch := counted("a", 2)
			stored, err = sink.Patch(t.Context(), e, patch)
			if err != nil || stored.ResourceVersion != "2" {
				t.Errorf("Patch() = %v, %v, want resourceVersion 2", stored, err)
			}
			requests := server.Requests()
			if got, want := fmt.Sprint(requests), fmt.Sprintf("[POST %s PATCH %s/a]", api.path, api.path); got != want {
				t.Fatalf("requests: %s, want %s", got, want)
			}
			if got := requests[1].Header.Get("Content-Type"); got != "application/strategic-merge-patch+json" {
				t.Errorf("Patch sent %s", got)
			}
			var body struct {
				Count         *int32
				LastTimestamp *metav1.Time
				Series        eventsv1.EventSeries
			}
			if err := json.Unmarshal(requests[1].Body, &body); err != nil {
				t.Fatal(err)
			}
			if !cmp.Equal(body.Series, *e.Series) {
				t.Errorf("Patch sent the series %+v, want %+v", body.Series, e.Series)
			}
			core := body.Count != nil && *body.Count == 2 && body.LastTimestamp != nil
			if core != (api.name == "CoreV1") {
				t.Errorf("Patch sent %s, want core/v1's count and time only through core/v1", requests[1].Body)
			}
		})
	}
}

// An Event without a namespace cannot be sent, which is said without asking the server.
func TestAPISinksNeedANamespace(t *testing.T) {
	for _, api := range apis {
		t.Run(api.name, func(t *testing.T) {
			client := eventstest.NewClientset()
			sink := api.sink(client)
			e := newEvent("a")
			e.Namespace = ""
			if _, err := sink.Create(t.Context(), e); err == nil {
				t.Error("Create of an event without a namespace: no error")
			}
			if _, err := sink.Patch(t.Context(), e, []byte("{}")); err == nil {
				t.Error("Patch of an event without a namespace: no error")
			}
			if got := client.Writes(); got != (eventstest.Writes{}) {
				t.Errorf("requests: %+v, want none", got)
			}
		})
	}
}

// store puts an event through sinks and returns what the cluster then has.
func store(t *testing.T, create, patch func(kubernetes.Interface) events.Sink) eventsv1.Event {
	t.Helper()
	client := eventstest.NewClientset()
	client.SetClock(testingclock.NewFakePassiveClock(moment))
	if _, err := create(client).Create(t.Context(), newEvent("a")); err != nil {
		t.Fatal(err)
	}
	for n := int32(2); n < 5; n++ {
		e, data := counted("a", n)
		if _, err := patch(client).Patch(t.Context(), e, data); err != nil {
			t.Fatal(err)
		}
	}
	return client.Events()[0]
}

// Through either API, and through both in turn, the cluster has the same object.
func TestAPISinksWriteTheSameObject(t *testing.T) {
	want := store(t, apis[0].sink, apis[0].sink)
	if want.Series == nil || want.Series.Count != 4 || want.Note != "stopping" || want.Related.Name != "node" {
		t.Fatalf("through events.k8s.io/v1: %+v", want)
	}
	for _, create := range apis {
		for _, patch := range apis {
			t.Run(create.name+" continued by "+patch.name, func(t *testing.T) {
				got := store(t, create.sink, patch.sink)
				viaCore := got.DeepCopy()
				got.DeprecatedSource, got.DeprecatedCount = want.DeprecatedSource, 0
				got.DeprecatedFirstTimestamp, got.DeprecatedLastTimestamp = metav1.Time{}, metav1.Time{}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("other than through events.k8s.io/v1 (-want +got):\n%s", diff)
				}
				if create.name != "CoreV1" || patch.name != "CoreV1" {
					return
				}
				// Their times are in whole seconds.
				first, last := viaCore.DeprecatedFirstTimestamp.Time, viaCore.DeprecatedLastTimestamp.Time
				if viaCore.DeprecatedCount != 4 || viaCore.DeprecatedSource.Component != "example.com/controller" ||
					!first.Equal(moment.Truncate(time.Second)) || last.Sub(first) != 4*time.Second {
					t.Errorf("what readers of core/v1 know: %+v", viaCore)
				}
			})
		}
	}
}
