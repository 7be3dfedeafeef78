// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	clientevents "k8s.io/client-go/tools/events"

	replicas "github.com/eventseries/eventseries/examples/controller-test"
)

// These are the tests of ../controller_test.go, as they are written with client-go.

func newController(objects ...runtime.Object) (*replicas.Controller, *clientevents.FakeRecorder, *fake.Clientset) {
	client, recorder := fake.NewClientset(objects...), clientevents.NewFakeRecorder(10)
	return &replicas.Controller{Client: client, Recorder: recorder}, recorder, client
}

func TestScaled(t *testing.T) {
	web := deployment("web", "3")
	controller, recorder, _ := newController(web)
	if err := controller.Reconcile(t.Context(), web); err != nil {
		t.Fatal(err)
	}
	select {
	case got := <-recorder.Events:
		if want := "Normal Scaled from 1 to 3 replicas"; got != want {
			t.Errorf("recorded %q, want %q", got, want)
		}
	default:
		t.Error("nothing is recorded")
	}
}

func TestReconcile(t *testing.T) {
	for _, test := range []struct{ name, asks, want string }{
		{"has what it asks for", "1", ""},
		{"more", "3", "Normal Scaled"},
		{"none", "0", "Normal Scaled"},
		{"no number", "many", "Warning InvalidReplicas"},
		{"negative", "-1", "Warning InvalidReplicas"},
	} {
		t.Run(test.name, func(t *testing.T) {
			controller, recorder, _ := newController(deployment("web", test.asks))
			if err := controller.ReconcileAll(t.Context()); err != nil {
				t.Fatal(err)
			}
			close(recorder.Events)
			var got []string
			for event := range recorder.Events {
				got = append(got, event)
			}
			if all := strings.Join(got, "\n"); !strings.HasPrefix(all, test.want) || (test.want == "") != (all == "") {
				t.Errorf("recorded %q, want %q", all, test.want)
			}
		})
	}
}

func TestScaleFailed(t *testing.T) {
	web := deployment("web", "3")
	controller, recorder, client := newController(web)
	refuseUpdates(client)
	for range 10 { // not 11: the channel has room for 10
		_ = controller.Reconcile(t.Context(), web)
	}
	for range 10 {
		if got := <-recorder.Events; !strings.HasPrefix(got, "Warning ScaleFailed") {
			t.Errorf("recorded %q", got)
		}
	}
}

func TestRunGoesOnAfterFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		controller, recorder, client := newController(deployment("web", "3"))
		refuseUpdates(client)
		go controller.Run(t.Context(), time.Minute)

		for range 5 {
			select {
			case <-recorder.Events:
			case <-time.After(time.Hour):
				t.Fatal("nothing is recorded")
			}
		}
	})
}

// refuseUpdates makes a cluster that takes no changes.
func refuseUpdates(client *fake.Clientset) {
	client.PrependReactor("update", "deployments", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, apierrors.NewServiceUnavailable("etcd is down")
	})
}
