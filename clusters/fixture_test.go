// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package clusters_test

import (
	"bytes"
	"context"
	"maps"
	"os"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/clusters"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/eventview"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
)

const controller = "example.com/test"

// cluster is a cluster that counts what it has stored.
type cluster struct{ *apiserver.Cluster }

func newCluster() *cluster { return &cluster{apiserver.NewCluster()} }

// total returns the number of occurrences that the cluster has stored.
func (c *cluster) total() (n int64) {
	for _, e := range c.Events() {
		n += eventview.FromEventsV1(&e).Count
	}
	return n
}

// quiet logs nothing.
var quiet = events.WithLogger(klog.Logger{})

// withLog returns a log and an option with which an adapter logs to it.
func withLog() (*testlog.Log, adapter.Option) {
	log := &testlog.Log{Level: 10}
	return log, events.WithLogger(klog.New(log))
}

// newSet returns a Set with these clusters engaged, which is shut down at the end of the test.
func newSet(t testing.TB, remotes map[string]*cluster, opts ...adapter.Option) *clusters.Set {
	t.Helper()
	s := clusters.New(context.Background(), append([]adapter.Option{quiet}, opts...)...)
	t.Cleanup(s.Shutdown)
	for name, r := range remotes {
		engage(t, s, name, r)
	}
	return s
}

func engage(t testing.TB, s *clusters.Set, name string, r *cluster) {
	t.Helper()
	if err := s.Engage(context.Background(), name, r.Config()); err != nil {
		t.Fatal(err)
	}
}

func disengage(t testing.TB, s *clusters.Set, name string) {
	t.Helper()
	if err := s.Disengage(t.Context(), name); err != nil {
		t.Error(err)
	}
}

// emit records the occurrence that most tests use, n times.
func emit(rec events.EventRecorder, n int, namespace, name string) {
	pod := fixture.Pod(namespace, name)
	for range n {
		rec.Eventf(pod, nil, corev1.EventTypeNormal, "Killing", "Kill", "stopping %s", name)
	}
}

// checkTotals compares the sums over all clusters with the wanted numbers, and checks invariant I1.
func checkTotals(t testing.TB, set *clusters.Set, observed, recorded int64, dropped map[events.DropReason]int64) {
	t.Helper()
	checkStats(t, set.Stats(), recorded, dropped)
	if n := set.Stats().Observed; n != observed {
		t.Errorf("%d observed, want %d", n, observed)
	}
}

// checkStats checks invariant I1, and compares the recorded and the dropped occurrences with the
// wanted numbers. Nothing may be pending.
func checkStats(t testing.TB, s events.Stats, recorded int64, dropped map[events.DropReason]int64) {
	t.Helper()
	fixture.CheckConserved(t, s)
	maps.DeleteFunc(s.Dropped, func(_ events.DropReason, n int64) bool { return n == 0 })
	if s.Recorded != recorded || s.Pending != 0 {
		t.Errorf("Recorded = %d, Pending = %d, want %d, 0", s.Recorded, s.Pending, recorded)
	}
	if diff := cmp.Diff(dropped, s.Dropped, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("Dropped (-want +got):\n%s", diff)
	}
}

// bubbleGoroutines returns the number of goroutines in the bubble of the test.
// [runtime.NumGoroutine] also counts goroutines outside the bubble, such as the one that runs
// finalizers.
func bubbleGoroutines() int {
	stacks := make([]byte, 1<<20)
	return bytes.Count(stacks[:runtime.Stack(stacks, true)], []byte(", synctest bubble "))
}

func TestMain(m *testing.M) {
	// A mode in the environment must not change these tests.
	os.Unsetenv(adapter.Environment)
	goleak.VerifyTestMain(m)
}
