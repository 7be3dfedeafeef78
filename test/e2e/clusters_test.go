// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/e2e/internal/controlplane"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

// fleet is three clusters that a component records in.
type fleet struct {
	t        *testing.T
	clusters *adapter.Clusters
	admins   map[string]*kubernetes.Clientset
	recorded int // in each cluster
}

// newPlane starts a control plane, which outlives what else the test has.
func newPlane(t *testing.T) *controlplane.Plane {
	t.Helper()
	plane, err := controlplane.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := plane.Stop(); err != nil {
			t.Error(err)
		}
	})
	return plane
}

// record records one Event of its own in each cluster, and returns how long it takes until the healthy one has it.
func (f *fleet) record() time.Duration {
	f.t.Helper()
	f.recorded++
	name := fmt.Sprint("web-", f.recorded)
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID(name)}}
	recorder := f.clusters.Recorder(controller)
	began := time.Now()
	for _, cluster := range []string{"hung", "killed", "healthy"} {
		recorder.For(cluster).Eventf(pod, nil, corev1.EventTypeWarning, "Failed", "Try", "it failed")
	}
	f.flush("healthy", soon)
	return time.Since(began)
}

func (f *fleet) flush(cluster string, within time.Duration) {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(f.t.Context(), within)
	defer cancel()
	broadcaster, _ := f.clusters.Adapter(cluster)
	if err := broadcaster.Flush(ctx); err != nil {
		f.t.Errorf("%s: %v", cluster, err)
	}
}

// latency is the median and the worst of what record returns, ten times a second.
func (f *fleet) latency(within time.Duration) (median, worst time.Duration) {
	var all []time.Duration
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for began := time.Now(); time.Since(began) < within; <-ticker.C {
		all = append(all, f.record())
	}
	slices.Sort(all)
	return all[len(all)/2], all[len(all)-1]
}

// stored is how many Events of the test a cluster has.
func (f *fleet) stored(cluster string) (n int) {
	f.t.Helper()
	list, err := f.admins[cluster].EventsV1().Events("default").List(f.t.Context(), metav1.ListOptions{})
	if err != nil {
		f.t.Fatal(err)
	}
	for _, e := range list.Items {
		if e.ReportingController == controller && e.Reason == "Failed" {
			n++
		}
	}
	return n
}

// Of three real clusters one hangs and one is killed and comes back. The third is written as before: far sooner than the
// deadline of a write, which whoever waited for another cluster would wait for. In the end each has all its Events.
func TestClustersBesideSickOnes(t *testing.T) {
	hung, killed := newPlane(t), newPlane(t)
	env := harness.New(t, shared)
	f := &fleet{t: t, admins: map[string]*kubernetes.Clientset{}}
	f.clusters = adapter.NewClusters(events.WithLogger(env.Log.Logger()))
	t.Cleanup(f.clusters.Shutdown)
	for name, plane := range map[string]*controlplane.Plane{"hung": hung, "killed": killed, "healthy": shared} {
		config, admin := env.On(plane)
		f.admins[name] = admin
		if err := f.clusters.Engage(t.Context(), name, config); err != nil {
			t.Fatal(err)
		}
	}
	f.latency(time.Second) // connections are made, and discovery has answered
	median, worst := f.latency(5 * time.Second)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(hung.StopServer())
	must(killed.KillServer())
	medianBeside, worstBeside := f.latency(35 * time.Second) // the first writes to the cluster that hangs time out
	t.Logf("an Event is written after %v, at worst %v; beside sick clusters after %v, at worst %v",
		median, worst, medianBeside, worstBeside)
	if worstBeside > 10*time.Second {
		t.Errorf("an Event of the healthy cluster waits %v beside sick ones", worstBeside)
	}
	f.clusters.Recorder(controller).For("unknown").Eventf(&corev1.ObjectReference{
		Kind: "Pod", Namespace: "default", Name: "web"}, nil, "Normal", "Failed", "Try", "nowhere")

	must(killed.StartServer())
	must(hung.ContinueServer())
	for name := range f.admins {
		f.flush(name, 2*time.Minute) // a back-off of half a minute, and a probe that may fail
		if n := f.stored(name); n != f.recorded {
			t.Errorf("%s has %d Events, want %d", name, n, f.recorded)
		}
	}
	s := f.clusters.Stats()
	if n := int64(3 * f.recorded); s.Observed != n+1 || s.Recorded != n || s.Dropped[events.UnknownCluster] != 1 {
		t.Errorf("%+v, want %d recorded and 1 for an unknown cluster", s, n)
	}
	must(f.clusters.Drain(t.Context()))
}
