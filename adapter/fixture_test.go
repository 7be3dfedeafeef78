// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/eventview"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
)

const controller = "example.com/test"

// cluster is a cluster whose answers the tests of this package change.
type cluster struct{ *apiserver.Cluster }

func newCluster() *cluster { return &cluster{apiserver.NewCluster()} }

// reviews is how often it was asked what is allowed.
func (c *cluster) reviews() int64 {
	return int64(c.Count("POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews"))
}

// asks is how many reviews it takes at most to learn the access to one namespace.
const asks = 4

// asksFor is how many it takes for one API, where the answers are as told: a no to create says nothing about patch.
func asksFor(answer discovery.Permission) int64 {
	if answer != discovery.Allowed {
		return 1
	}
	return 2
}

// deny takes the right to write to group away, in one namespace.
func (c *cluster) deny(namespace string, groups ...string) {
	c.Authorize(func(r eventstest.Request) bool {
		for _, group := range groups {
			if r.Namespace == namespace && r.Group == group {
				return false
			}
		}
		return true
	})
}

const v1, core = eventsv1.GroupName, corev1.GroupName

// quiet logs nothing.
var quiet = events.WithLogger(klog.Logger{})

// withLog returns a log and the option that has an adapter log to it.
func withLog() (*testlog.Log, adapter.Option) {
	log := &testlog.Log{Level: 10}
	return log, events.WithLogger(klog.New(log))
}

// start returns a started adapter and a recorder, and shuts it down at the end of the test.
func start(
	t testing.TB, client kubernetes.Interface, opts ...adapter.Option,
) (*adapter.Adapter, *adapter.Recorder) {
	t.Helper()
	if c, ok := client.(*cluster); ok {
		client = c.Client()
	}
	a := adapter.New(context.Background(), client, append([]adapter.Option{quiet}, opts...)...)
	if err := a.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Shutdown)
	return a, a.Recorder(controller)
}

// emit records the occurrence that most tests are about, n times.
func emit(rec clientevents.EventRecorder, n int, namespace, name string) {
	pod := fixture.Pod(namespace, name)
	for range n {
		rec.Eventf(pod, nil, corev1.EventTypeNormal, "Killing", "Kill", "stopping %s", name)
	}
}

// only returns the one Event stored.
func only(t testing.TB, c *cluster) eventsv1.Event {
	t.Helper()
	all := c.Events()
	if len(all) != 1 {
		t.Fatalf("%d Events are stored, want 1: %+v", len(all), all)
	}
	return all[0]
}

// count is how many occurrences e stands for.
func count(e *eventsv1.Event) int64 { return eventview.FromEventsV1(e).Count }

func checkCount(t testing.TB, e *eventsv1.Event, want int64) {
	t.Helper()
	if got := count(e); got != want {
		t.Errorf("the count of %s is %d, want %d", e.Name, got, want)
	}
}

// checkAccounts is invariant I1, and compares what was recorded, is pending and was dropped.
func checkAccounts(t testing.TB, a *adapter.Adapter, recorded, pending int64, dropped map[events.DropReason]int64) {
	t.Helper()
	checkStats(t, a.Stats(), recorded, pending, dropped)
}

func checkStats(t testing.TB, s events.Stats, recorded, pending int64, dropped map[events.DropReason]int64) {
	t.Helper()
	fixture.CheckConserved(t, s)
	maps.DeleteFunc(s.Dropped, func(_ events.DropReason, n int64) bool { return n == 0 })
	if s.Recorded != recorded || s.Pending != pending {
		t.Errorf("Recorded = %d, Pending = %d, want %d, %d", s.Recorded, s.Pending, recorded, pending)
	}
	if diff := cmp.Diff(dropped, s.Dropped, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("Dropped (-want +got):\n%s", diff)
	}
}

// checkWrites compares the requests that reached the cluster through either group.
func checkWrites(t testing.TB, c *cluster, viaV1, viaCore int64) {
	t.Helper()
	w := c.Writes()
	sum := func(n eventstest.Counts) int64 { return n.Creates + n.Patches + n.Updates }
	if sum(w.EventsV1) != viaV1 || sum(w.CoreV1) != viaCore {
		t.Errorf("requests: %d through events.k8s.io/v1, %d through core/v1, want %d, %d",
			sum(w.EventsV1), sum(w.CoreV1), viaV1, viaCore)
	}
}

// unavailable is a server that is starting; it still answers access reviews.
func unavailable(_ context.Context, r eventstest.Request) error {
	if r.Resource != "events" {
		return nil
	}
	return errStarting
}

var errStarting = apierrors.NewServiceUnavailable("starting")

var errRefused = apierrors.NewForbidden(
	schema.GroupResource{Group: v1, Resource: "events"}, "", errors.New("by a webhook"))

func TestMain(m *testing.M) {
	os.Unsetenv(adapter.Environment) // the tests are about both, and say when it is set
	goleak.VerifyTestMain(m)
}
