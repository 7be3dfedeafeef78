// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package mcevents_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/cluster"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	mccontext "sigs.k8s.io/multicluster-runtime/pkg/context"
	mcmanager "sigs.k8s.io/multicluster-runtime/pkg/manager"
	mc "sigs.k8s.io/multicluster-runtime/pkg/multicluster"
	mcreconcile "sigs.k8s.io/multicluster-runtime/pkg/reconcile"
	clustersprovider "sigs.k8s.io/multicluster-runtime/providers/clusters"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/clusters"
	mcevents "github.com/eventseries/eventseries/contrib/multicluster"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
	"github.com/eventseries/eventseries/internal/testkit/readme"
)

func init() { log.SetLogger(logr.Discard()) }

var pod = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"}}

// newManager returns a manager on a host, and the provider that engages its clusters.
func newManager(host *apiserver.Server) (mcmanager.Manager, *clustersprovider.Provider, error) {
	provider := clustersprovider.New()
	mgr, err := mcmanager.New(host.Config(), provider, manager.Options{
		Metrics: metricsserver.Options{BindAddress: "0"}, HealthProbeBindAddress: "0",
	})
	return mgr, provider, err
}

// reconciler records in the cluster of each request.
type reconciler struct {
	recorder *clusters.Recorder
}

// Reconcile records that a pod was scaled.
func (r *reconciler) Reconcile(ctx context.Context, _ reconcile.Request) (reconcile.Result, error) {
	mcevents.FromContext(ctx, r.recorder).Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "to %d replicas", 3)
	return reconcile.Result{}, nil
}

// worker stands for the controllers: it reconciles once in each cluster that is engaged, and once
// more when the manager stops.
type worker struct {
	t       *testing.T
	engaged chan mc.ClusterName
	// clusters are the clusters that the worker waits for.
	clusters []mc.ClusterName
	// others are clusters that nobody engages.
	others []mc.ClusterName
	// done is closed when the worker has reconciled in all clusters.
	done chan struct{}
	mcreconcile.Reconciler
}

// Engage implements mc.Aware.
func (w *worker) Engage(_ context.Context, name mc.ClusterName, _ cluster.Cluster) error {
	w.engaged <- name
	return nil
}

// Start implements manager.Runnable.
func (w *worker) Start(ctx context.Context) error {
	for range w.clusters {
		w.reconcile(ctx, <-w.engaged)
	}
	for _, name := range w.others {
		w.reconcile(ctx, name)
	}
	close(w.done)
	<-ctx.Done()
	for _, name := range append(w.clusters, w.others...) {
		w.reconcile(context.WithoutCancel(ctx), name)
	}
	return nil
}

func (w *worker) reconcile(ctx context.Context, name mc.ClusterName) {
	if _, err := w.Reconcile(ctx, mcreconcile.Request{ClusterName: name}); err != nil {
		w.t.Error(err)
	}
}

// An Event for a context without a cluster is not written to the manager's own cluster.
func TestContextWithoutCluster(t *testing.T) {
	home, set := apiserver.New(), clusters.New(t.Context())
	if err := set.Engage(t.Context(), "", home.Config()); err != nil {
		t.Fatal(err)
	}
	r := &reconciler{set.Recorder("example.com/test")}
	if _, err := r.Reconcile(t.Context(), reconcile.Request{}); err != nil {
		t.Fatal(err)
	}
	set.Shutdown()
	if n := set.Stats().Dropped[events.DropUnknownCluster]; n != 1 || len(home.Events()) != 0 {
		t.Errorf("%d dropped as UnknownCluster, want 1; Events of the manager's own cluster: %v", n, home.Events())
	}
}

// Each cluster gets its Events, including the Events of the shutdown. Events for an unknown cluster
// are written nowhere.
func TestEventsOfEachCluster(t *testing.T) {
	servers := map[mc.ClusterName]*apiserver.Server{"": apiserver.New(), "east": apiserver.New(), "west": apiserver.New()}
	mgr, provider, err := newManager(servers[""])
	if err != nil {
		t.Fatal(err)
	}
	set, err := mcevents.ForManager(mgr)
	if err != nil {
		t.Fatal(err)
	}
	w := &worker{
		t: t, engaged: make(chan mc.ClusterName, 2), done: make(chan struct{}),
		clusters: []mc.ClusterName{"east", "west"}, others: []mc.ClusterName{mcmanager.LocalCluster, "north"},
		Reconciler: mccontext.ReconcilerWithClusterInContext(&reconciler{set.Recorder("example.com/test")}),
	}
	if err := mgr.Add(w); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	for _, name := range w.clusters {
		cl, err := cluster.New(servers[name].Config())
		if err != nil {
			t.Fatal(err)
		}
		if err := provider.Add(ctx, name, cl); err != nil {
			t.Fatal(err)
		}
	}
	go func() {
		select {
		case <-w.done:
		case <-ctx.Done():
		}
		stop()
	}()
	if err := mgr.Start(ctx); err != nil {
		t.Fatal(err)
	}
	for name, server := range servers {
		want := []string{`Normal Scaled (Scale) Pod default/web x2: "to 3 replicas"`}
		var got []string
		for _, s := range eventstest.SeriesOf(server.Events()...) {
			got = append(got, s.String())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Events in cluster %q (-want +got):\n%s", name, diff)
		}
	}
	if s := set.Stats(); s.Recorded != 6 || s.Dropped[events.DropUnknownCluster] != 2 || s.Dropped[events.DropStopped] != 0 {
		t.Errorf("%+v, want 6 recorded and the unknown cluster's dropped", s)
	}
}

func TestForManagerRefusesInvalidOptions(t *testing.T) {
	mgr, _, err := newManager(apiserver.New())
	if err != nil {
		t.Fatal(err)
	}
	_, err = mcevents.ForManager(mgr, adapter.WithMode("v2"))
	if err == nil || !strings.Contains(err.Error(), "WithMode") {
		t.Errorf("%v, want what is wrong with the option", err)
	}
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The program that the README names builds.
func TestReadmeProgramBuilds(t *testing.T) { readme.Build(t, "./example") }
