// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package replicas_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/eventseries/eventseries/events/eventstest"
	replicas "github.com/eventseries/eventseries/examples/controller-test"
)

// Caught: an Event about a Pod of that name; a note with the numbers exchanged; no action; no Event at all.
func TestScaled(t *testing.T) {
	web := deployment("web", "3")
	recorder := eventstest.NewRecorder(t, eventstest.Strict())
	controller := &replicas.Controller{Client: fake.NewClientset(web), Recorder: recorder}
	if err := controller.Reconcile(t.Context(), web); err != nil {
		t.Fatal(err)
	}
	want := eventstest.Want{Type: "Normal", Reason: "Scaled", Note: "from 1 to 3 replicas", Regarding: web}
	if err := recorder.Check(want); err != nil {
		t.Error(err)
	}
}

// Caught: an Event for a Deployment that has what it asks for; a negative number that is taken; an autoscaler that is
// ignored, or not related.
func TestReconcile(t *testing.T) {
	for _, test := range []struct {
		name, asks string
		others     []runtime.Object
		want       eventstest.Only
	}{
		{name: "has what it asks for", asks: "1", want: eventstest.Only{}},
		{name: "more", asks: "3", want: eventstest.Only{{Reason: "Scaled", NoteContains: "to 3"}}},
		{name: "none", asks: "0", want: eventstest.Only{{Reason: "Scaled", NoteContains: "to 0"}}},
		{name: "no number", asks: "many", want: eventstest.Only{{Type: "Warning", Reason: "InvalidReplicas"}}},
		{name: "negative", asks: "-1", want: eventstest.Only{{Type: "Warning", Reason: "InvalidReplicas"}}},
		{
			name: "autoscaled", asks: "3", others: []runtime.Object{autoscalerOf("web")},
			want: eventstest.Only{{Type: "Normal", Reason: "Autoscaled", Related: autoscalerOf("web")}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			controller, recorder, _ := newController(t, append(test.others, deployment("web", test.asks))...)
			if err := controller.ReconcileAll(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := recorder.Check(test.want); err != nil {
				t.Error(err)
			}
		})
	}
}

// Ten failures are one Event that counts ten, also when the Deployment changes in between.
//
// Caught: the time, or the resource version, in the reason, which makes ten Events.
func TestScaleFailedIsOneSeries(t *testing.T) {
	web := deployment("web", "3")
	controller, recorder, client := newController(t, web)
	refuseUpdates(client)
	for range 10 {
		web.ResourceVersion += "1" // a status write
		if err := controller.Reconcile(t.Context(), web); err == nil {
			t.Fatal("the refusal is not passed on")
		}
	}
	want := []eventstest.Series{{
		Type: "Warning", Reason: "ScaleFailed", Action: "Scale", Note: "cannot scale to 3 replicas: etcd is down",
		Regarding: eventstest.Object{Kind: "Deployment", Namespace: "default", Name: "web"},
		Count:     10,
	}}
	if diff := cmp.Diff(want, recorder.Series()); diff != "" {
		t.Errorf("series (-want +got):\n%s", diff)
	}
}

// The controller runs in the background, and the test waits for its Event.
//
// Caught: a Run that waits for its period before it reconciles for the first time.
func TestRunScales(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		web := deployment("web", "3")
		controller, recorder, _ := newController(t, web)
		ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
		defer stop()
		go controller.Run(ctx, time.Minute)
		if err := recorder.WaitFor(ctx, eventstest.Want{Reason: "Scaled", Regarding: web}); err != nil {
			t.Error(err)
		}
	})
}

// A failure that is over for more than six minutes and comes back is a new Event, as it is in production. In a bubble
// the six minutes take no time.
func TestScaleFailedAgainIsAnotherSeries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		web := deployment("web", "3")
		controller, recorder, client := newController(t, web)
		refuseUpdates(client)
		for range 2 {
			_ = controller.Reconcile(t.Context(), web)
			_ = controller.Reconcile(t.Context(), web)
			time.Sleep(7 * time.Minute)
		}
		want := eventstest.Want{Reason: "ScaleFailed", Regarding: web, Count: 2}
		if err := recorder.Check(eventstest.Only{want, want}); err != nil {
			t.Error(err)
		}
	})
}
