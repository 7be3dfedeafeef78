// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
)

// scaler records in whatever cluster a request is about.
type scaler struct {
	recorder *adapter.ClustersRecorder
}

func (s *scaler) scale(cluster string, pod *corev1.Pod, replicas int) {
	s.recorder.For(cluster).Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "to %d replicas", replicas)
}

// Two clusters, and a name that is none of them.
func ExampleNewClusters() {
	east, west := apiserver.New(), apiserver.New() // in a component: clusters, and the rest.Config of each

	ctx := context.Background()
	clusters := adapter.NewClusters()
	for name, config := range map[string]*rest.Config{"east": east.Config(), "west": west.Config()} {
		if err := clusters.Engage(ctx, name, config); err != nil {
			fmt.Println(err) // what the configuration or an option got wrong
		}
	}
	s := &scaler{recorder: clusters.Recorder("example.com/my-controller")}
	s.scale("east", examplePod, 3)
	s.scale("west", examplePod, 5)
	s.scale("wset", examplePod, 7)
	if err := clusters.Disengage(ctx, "west"); err != nil {
		fmt.Println(err) // what could not be written
	}
	clusters.Shutdown()

	show(east.Clientset)
	show(west.Clientset)
	fmt.Println("for unknown clusters:", clusters.Stats().Dropped[events.UnknownCluster])
	// Output:
	// Normal Scaled (Scale) Pod default/web x1: "to 3 replicas"
	// Normal Scaled (Scale) Pod default/web x1: "to 5 replicas"
	// for unknown clusters: 1
}

// The requests of this component have the name of their cluster in the context.
func ExampleWithClusterFromContext() {
	type key struct{}
	east := apiserver.New()
	clusters := adapter.NewClusters(adapter.WithClusterFromContext(func(ctx context.Context) (string, bool) {
		name, ok := ctx.Value(key{}).(string)
		return name, ok
	}))
	if err := clusters.Engage(context.Background(), "east", east.Config()); err != nil {
		fmt.Println(err)
	}
	recorder := clusters.Recorder("example.com/my-controller")

	ctx := context.WithValue(context.Background(), key{}, "east") // in a component: that of the request
	reconcile(recorder.FromContext(ctx))
	clusters.Shutdown()
	show(east.Clientset)
	// Output: Normal Scaled (Scale) Pod default/web x3: "to 3 replicas"
}

// The snapshot has the accounts of each cluster.
func ExampleClusters_Snapshot() {
	clusters := adapter.NewClusters()
	for _, name := range []string{"west", "east"} {
		if err := clusters.Engage(context.Background(), name, apiserver.New().Config()); err != nil {
			fmt.Println(err)
		}
	}
	reconcile(clusters.Recorder("example.com/my-controller").For("west"))
	for name, one := range clusters.Snapshot(0).Clusters {
		fmt.Println(name, "has", one.Stats.Observed)
	}
	clusters.Shutdown()
	// Unordered output:
	// east has 0
	// west has 3
}
