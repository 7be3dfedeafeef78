// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
	"github.com/eventseries/eventseries/legacy"
)

var examplePod = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"}}

// reconcile is what records in the examples: it says the same three times.
func reconcile(recorder events.EventRecorder) {
	pod := examplePod
	for range 3 {
		recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "to %d replicas", 3)
	}
}

// show prints what is on the server.
func show(client *eventstest.Clientset) {
	for _, s := range eventstest.SeriesOf(client.Events()...) {
		fmt.Println(s)
	}
}

// scaleOnce is a component of one event: the usage of the package.
func scaleOnce(ctx context.Context, client kubernetes.Interface, pod *corev1.Pod) error {
	a := adapter.New(ctx, client)
	if err := a.Start(ctx); err != nil {
		return err // an option is invalid
	}
	defer a.Shutdown()
	recorder := a.Recorder("example.com/my-controller")
	recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "to %d replicas", 3)
	return nil
}

// From a configuration to a recorded Event.
func ExampleNewForConfig() {
	server := apiserver.New() // in a component: a cluster,
	config := server.Config() // and ctrl.GetConfig or rest.InClusterConfig

	ctx := context.Background()
	a, err := adapter.NewForConfig(ctx, config)
	if err != nil {
		fmt.Println(err) // what the configuration or an option got wrong
		return
	}
	if err := a.Start(ctx); err != nil {
		fmt.Println(err)
	}
	recorder := a.Recorder("example.com/my-controller")
	recorder.Eventf(examplePod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "to %d replicas", 3)
	a.Shutdown()

	show(server.Clientset)
	// Output: Normal Scaled (Scale) Pod default/web x1: "to 3 replicas"
}

// A component of one event, from its client to its end.
func Example() {
	client := eventstest.NewClientset() // in a component: kubernetes.NewForConfigOrDie(config)
	if err := scaleOnce(context.Background(), client, examplePod); err != nil {
		fmt.Println(err)
	}
	show(client)
	// Output: Normal Scaled (Scale) Pod default/web x1: "to 3 replicas"
}

// A repeat raises the count of the Event.
func Example_repeats() {
	client := eventstest.NewClientset()
	recordWith(client)
	// Output: Normal Scaled (Scale) Pod default/web x3: "to 3 replicas"
}

// onlyCore is a cluster whose RBAC forgot events.k8s.io in namespace shop, and an Event for it.
func onlyCore(ctx context.Context) *adapter.Adapter {
	client := eventstest.NewClientset()
	client.Authorize(func(r eventstest.Request) bool { return r.Namespace != "shop" || r.Group == "" })

	a := adapter.New(ctx, client, events.WithLogger(klog.Logger{}))
	if err := a.Start(ctx); err != nil {
		fmt.Println(err)
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "1"}}
	a.Recorder("example.com/my-controller").
		Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "up")
	if err := a.Flush(ctx); err != nil {
		fmt.Println(err)
	}
	return a
}

// A health check says which API is in use, and where it is another one.
func ExampleAdapter_Snapshot() {
	a := onlyCore(context.Background())
	defer a.Shutdown()

	status := a.Snapshot(0)
	fmt.Println("new events:", status.API)
	for name, namespace := range status.Namespaces {
		fmt.Printf("in %s: %s, because events.k8s.io/v1 is %v\n", name, namespace.API, namespace.Access.EventsV1)
	}
	// Output:
	// new events: v1
	// in shop: core, because events.k8s.io/v1 is denied
}

// Leader election whose Events need RBAC for events.k8s.io only. The end comes in this order: the election, then the
// Events. With controller-runtime the lock is manager.Options.LeaderElectionResourceLockInterface, and Manager.Start
// takes the place of Run.
func Example_leaderElection() {
	server := apiserver.New() // in a component: a cluster,
	config := server.Config() // and ctrl.GetConfig or rest.InClusterConfig

	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	a, err := adapter.NewForConfig(ctx, config)
	if err != nil {
		fmt.Println(err)
		return
	}
	const renewDeadline = 10 * time.Second
	lock, err := resourcelock.NewFromKubeconfig(resourcelock.LeasesResourceLock, "default", "my-controller",
		resourcelock.ResourceLockConfig{
			Identity:      "my-controller-0", // such as os.Hostname and a UUID
			EventRecorder: legacy.AsLegacy(a.Recorder("example.com/my-controller")),
		}, config, renewDeadline)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := a.Start(context.WithoutCancel(ctx)); err != nil {
		fmt.Println(err)
	}
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock:          lock,
		LeaseDuration: 15 * time.Second, RenewDeadline: renewDeadline, RetryPeriod: 2 * time.Second,
		ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { stop() }, // a component works until it is told to end
			OnStoppedLeading: func() {},
		},
	})
	a.Shutdown()

	show(server.Clientset)
	// Output:
	// Normal LeaderElection (LeaderElection) Lease default/my-controller x1: "my-controller-0 became leader"
	// Normal LeaderElection (LeaderElection) Lease default/my-controller x1: "my-controller-0 stopped leading"
}
