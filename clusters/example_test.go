// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package clusters_test

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/clusters"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
)

var web = &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"}}

// reconcile records the same Event three times.
func reconcile(recorder events.EventRecorder) {
	for range 3 {
		recorder.Eventf(web, nil, corev1.EventTypeNormal, "Scaled", "Scale", "to %d replicas", 3)
	}
}

// show prints the Events on the server.
func show(client *eventstest.Clientset) {
	for _, s := range eventstest.SeriesOf(client.Events()...) {
		fmt.Println(s)
	}
}

// scaler records an Event in the cluster of each request.
type scaler struct {
	recorder *clusters.Recorder
}

func (s *scaler) scale(cluster string, deployment *appsv1.Deployment, replicas int) {
	s.recorder.For(cluster).Eventf(deployment, nil, corev1.EventTypeNormal, "Scaled", "Scale", "to %d replicas", replicas)
}

// One recorder serves two clusters, and counts Events for a cluster that is not engaged.
func ExampleNew() {
	east, west := apiserver.New(), apiserver.New() // in a component: clusters, and the rest.Config of each

	ctx := context.Background()
	set := clusters.New(ctx)
	for name, config := range map[string]*rest.Config{"east": east.Config(), "west": west.Config()} {
		if err := set.Engage(ctx, name, config); err != nil {
			fmt.Println(err) // what the configuration or an option got wrong
		}
	}
	s := &scaler{recorder: set.Recorder("example.com/my-controller")}
	s.scale("east", web, 3)
	s.scale("west", web, 5)
	s.scale("wset", web, 7)
	if err := set.Disengage(ctx, "west"); err != nil {
		fmt.Println(err) // what could not be written
	}
	set.Shutdown()

	show(east.Clientset)
	show(west.Clientset)
	fmt.Println("for unknown clusters:", set.Stats().Dropped[events.DropUnknownCluster])
	// Output:
	// Normal Scaled (Scale) Deployment default/web x1: "to 3 replicas"
	// Normal Scaled (Scale) Deployment default/web x1: "to 5 replicas"
	// for unknown clusters: 1
}

// The snapshot has the numbers of each cluster.
func ExampleSet_Snapshot() {
	ctx := context.Background()
	set := clusters.New(ctx)
	for _, name := range []string{"west", "east"} {
		if err := set.Engage(ctx, name, apiserver.New().Config()); err != nil {
			fmt.Println(err)
		}
	}
	reconcile(set.Recorder("example.com/my-controller").For("west"))
	for name, one := range set.Snapshot(0).Clusters {
		fmt.Println(name, "has", one.Stats.Observed)
	}
	set.Shutdown()
	// Unordered output:
	// east has 0
	// west has 3
}
