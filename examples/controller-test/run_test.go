// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package replicas_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/klog/v2/ktesting"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	replicas "github.com/eventseries/eventseries/examples/controller-test"
)

// runFor runs what main does for a while, and returns when it has ended.
func runFor(t *testing.T, d time.Duration, client *eventstest.Clientset) error {
	_, ctx := ktesting.NewTestContext(t)
	ctx, stop := context.WithTimeout(ctx, d)
	defer stop()
	return replicas.Run(ctx, client, time.Minute)
}

// failures is what a cluster that takes no changes has after three rounds: the one Event of all three.
var failures = eventstest.Only{{Reason: "ScaleFailed", Regarding: deployment("web", ""), Count: 3}}

// Caught: a Run that does not drain: the bubble finds goroutines that nobody ends.
func TestRunWritesWhatIsPending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := eventstest.NewClientset(deployment("web", "3"))
		refuseUpdates(client)
		if err := runFor(t, 150*time.Second, client); err != nil {
			t.Fatal(err)
		}
		if err := eventstest.Check(client, failures); err != nil {
			t.Error(err)
		}
	})
}

// The API server refuses to create Events for a minute. The recorder retries, so the Event is stored nevertheless.
//
// Caught: a server that refuses for longer than Run takes.
func TestRunRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := eventstest.NewClientset(deployment("web", "3"))
		refuseUpdates(client)
		began := time.Now()
		client.Fail(func(_ context.Context, request eventstest.Request) error {
			if request.Verb == "create" && time.Since(began) < time.Minute {
				return apierrors.NewServiceUnavailable("the server is starting")
			}
			return nil
		})
		if err := runFor(t, 150*time.Second, client); err != nil {
			t.Fatal(err)
		}
		if err := eventstest.Check(client, failures); err != nil {
			t.Error(err)
		}
		if writes := client.Writes(); writes.CoreV1 != (eventstest.Counts{}) {
			t.Errorf("writes through core/v1: %+v", writes.CoreV1)
		}
	})
}

// An old cluster does not serve events.k8s.io/v1: the same controller writes through core/v1. The occurrence with which
// it found that out may be an Event of its own.
//
// Caught: WithMode(adapter.ModeEventsV1), which writes nothing.
func TestRunOnAnOldCluster(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := eventstest.NewClientset(deployment("web", "3"))
		client.ServeEventsV1(false)
		refuseUpdates(client)
		if err := runFor(t, 150*time.Second, client); err != nil {
			t.Fatal(err)
		}
		occurrences := 0
		for _, series := range eventstest.SeriesOf(client.Events()...) {
			occurrences += series.Count
		}
		if occurrences != 3 {
			t.Errorf("%d occurrences are on the server, want 3:\n%v", occurrences, eventstest.SeriesOf(client.Events()...))
		}
	})
}

// A Role that forgot patch: the Event is there, but counts no further, and Run says how much is missing.
//
// Caught: a Run that returns nil whatever Drain says.
func TestRunWithARoleThatForgotPatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := eventstest.NewClientset(deployment("web", "3"))
		client.Authorize(func(r eventstest.Request) bool { return r.Verb != "patch" })
		refuseUpdates(client)
		err := runFor(t, 150*time.Second, client)

		var abandoned *events.AbandonedError
		if !errors.As(err, &abandoned) || abandoned.Occurrences != 2 {
			t.Errorf("Run = %v, want 2 occurrences abandoned", err)
		}
		once := eventstest.Only{{Reason: "ScaleFailed", Count: 1}}
		if err := eventstest.Check(client, once); err != nil {
			t.Error(err)
		}
	})
}

// The RBAC that is shipped grants what the controller writes, and with it nothing is abandoned.
//
// Caught: config/rbac.yaml without patch, without events.k8s.io, and bound to another ServiceAccount.
func TestRBAC(t *testing.T) {
	manifests, account := os.DirFS("config"), eventstest.BoundTo("my-system", "my-controller")
	shipped, err := eventstest.ReadRBAC(manifests, account)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		client := eventstest.NewClientset(deployment("web", "3"))
		client.Authorize(shipped.Allow)
		refuseUpdates(client)
		if err := runFor(t, 150*time.Second, client); err != nil {
			t.Error(err)
		}
		eventstest.VerifyRBAC(t, manifests, account, eventstest.Needs(client.Written()...))
	})
}
