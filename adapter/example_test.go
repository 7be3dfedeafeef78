// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events/eventstest"
)

func ExampleNew() {
	ctx := context.Background()
	client := eventstest.NewClientset() // in a component: kubernetes.NewForConfigOrDie(config)

	broadcaster := adapter.New(ctx, client)
	if err := broadcaster.Start(ctx); err != nil {
		fmt.Println(err)
		return
	}
	recorder := broadcaster.NewRecorder("example.com/my-controller")

	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"}}
	for n := range 3 {
		recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "to %d replicas", n+1)
	}
	broadcaster.Shutdown() // writes what is pending

	for _, e := range client.Events() {
		fmt.Println(e.Regarding.Kind, e.Regarding.Name, e.Reason, "x", e.Series.Count)
	}
	// Output: Pod web Scaled x 3
}

// onlyCore is a cluster whose RBAC forgot events.k8s.io in namespace shop, and an Event for it.
func onlyCore(ctx context.Context) *adapter.Adapter {
	client := eventstest.NewClientset()
	client.Authorize(func(r eventstest.Request) bool { return r.Namespace != "shop" || r.Group == "" })

	broadcaster := adapter.New(ctx, client, adapter.WithLogger(klog.Logger{}))
	if err := broadcaster.Start(ctx); err != nil {
		fmt.Println(err)
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "1"}}
	broadcaster.NewRecorder("example.com/my-controller").
		Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "up")
	if err := broadcaster.Flush(ctx); err != nil {
		fmt.Println(err)
	}
	return broadcaster
}

// A health check says which API is in use, and where it is another one.
func ExampleAdapter_Status() {
	broadcaster := onlyCore(context.Background())
	defer broadcaster.Shutdown()

	status := broadcaster.Status()
	fmt.Println("new events:", status.API)
	for name, namespace := range status.Namespaces {
		fmt.Printf("in %s: %s, because events.k8s.io/v1 is %v\n", name, namespace.API, namespace.Access.EventsV1)
	}
	// Output:
	// new events: v1
	// in shop: core, because events.k8s.io/v1 is denied
}

// The RBAC that is missing, for kubectl apply -f -.
func ExampleAdapter_Remedy() {
	broadcaster := onlyCore(context.Background())
	defer broadcaster.Shutdown()

	for line := range strings.Lines(broadcaster.Remedy()) {
		if strings.HasPrefix(line, "kind:") || strings.HasPrefix(line, "- apiGroups:") {
			fmt.Print(line)
		}
	}
	// Output:
	// kind: Role
	// - apiGroups: ["events.k8s.io"]
	// kind: RoleBinding
}

// A component that wants core/v1 whatever the cluster has. EVENTSERIES_API in its environment wins.
func ExampleWithMode() {
	ctx, client := context.Background(), eventstest.NewClientset()
	broadcaster := adapter.New(ctx, client, adapter.WithMode(adapter.CoreV1))
	if err := broadcaster.Start(ctx); err != nil {
		fmt.Println(err)
		return
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"}}
	broadcaster.NewRecorder("example.com/my-controller").
		Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "up")
	broadcaster.Shutdown()

	fmt.Printf("%+v\n", client.Writes().CoreV1)
	fmt.Println(broadcaster.Status().API)
	// Output:
	// {Creates:1 Patches:0 Updates:0}
	// core
}
