// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
)

var examplePod = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"}}

// reconcile is what records in the examples: it says the same three times.
func reconcile(recorder events.EventRecorder) {
	for range 3 {
		recorder.Eventf(examplePod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "to %d replicas", 3)
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
		return err // what an option got wrong
	}
	defer a.Shutdown()
	recorder := a.NewRecorder("example.com/my-controller")
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
	recorder := a.NewRecorder("example.com/my-controller")
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

func ExampleNew() {
	ctx := context.Background()
	client := eventstest.NewClientset()

	a := adapter.New(ctx, client)
	if err := a.Start(ctx); err != nil {
		fmt.Println(err)
		return
	}
	reconcile(a.NewRecorder("example.com/my-controller"))
	a.Shutdown() // writes what is pending

	show(client)
	// Output: Normal Scaled (Scale) Pod default/web x3: "to 3 replicas"
}

// From client-go's adapter, the import changes and nothing else.
func ExampleNewEventBroadcasterAdapterWithContext() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	client := eventstest.NewClientset()

	broadcaster := adapter.NewEventBroadcasterAdapterWithContext(ctx, client)
	broadcaster.StartRecordingToSink(ctx.Done())
	reconcile(broadcaster.NewRecorder("my-controller"))
	broadcaster.Shutdown()

	show(client)
	// Output: Normal Scaled (Scale) Pod default/web x3: "to 3 replicas"
}

// kube-scheduler's way: a stop channel, which need never be closed.
func ExampleNewEventBroadcasterAdapter() {
	client := eventstest.NewClientset()
	broadcaster := adapter.NewEventBroadcasterAdapter(client)
	stop := make(chan struct{})
	broadcaster.StartRecordingToSink(stop)
	reconcile(broadcaster.NewRecorder("default-scheduler"))
	broadcaster.Shutdown()

	show(client)
	// Output: Normal Scaled (Scale) Pod default/web x3: "to 3 replicas"
}

// From client-go's broadcaster over a sink, the import changes and nothing else, too.
func ExampleNewBroadcaster() {
	client, stop := eventstest.NewClientset(), make(chan struct{})
	broadcaster := adapter.NewBroadcaster(&adapter.EventSinkImpl{Interface: client.EventsV1()})
	broadcaster.StartRecordingToSink(stop)
	reconcile(broadcaster.NewRecorder(scheme.Scheme, "my-controller"))
	broadcaster.Shutdown()

	show(client)
	// Output: Normal Scaled (Scale) Pod default/web x3: "to 3 replicas"
}

// The kubelet's way: the recorder is made first, and the client is known later. Only two names are new, where
// client-go has record.NewBroadcaster and record.WithContext.
func ExampleNewRecordBroadcaster() {
	ctx, client := context.Background(), eventstest.NewClientset()
	broadcaster := adapter.NewRecordBroadcaster(adapter.WithContext(ctx))
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "kubelet", Host: "node-7"})
	broadcaster.StartStructuredLogging(3)

	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	reconcile(recorder)
	broadcaster.Shutdown()

	show(client)
	// Output: Normal Scaled (Scale) Pod default/web x3: "to 3 replicas"
}

// endings counts calls of Shutdown, in a test of a component that holds its broadcaster in a field.
type endings struct {
	adapter.RecordEventBroadcaster
	n int
}

func (e *endings) Shutdown() {
	e.n++
	e.RecordEventBroadcaster.Shutdown()
}

func ExampleRecordEventBroadcaster() {
	component := struct {
		broadcaster adapter.RecordEventBroadcaster
	}{adapter.NewRecordBroadcaster(events.WithLogger(klog.Logger{}))}
	counted := &endings{RecordEventBroadcaster: component.broadcaster}
	component.broadcaster = counted

	component.broadcaster.Shutdown()
	fmt.Println(counted.n)
	// Output: 1
}

// Handlers and printf functions of the old broadcaster stay as they are. They need no sink.
func ExampleRecordBroadcaster_StartEventWatcher() {
	broadcaster := adapter.NewRecordBroadcaster(events.WithLogger(klog.Logger{}))
	broadcaster.StartEventWatcher(func(event *corev1.Event) { fmt.Println(event.Source.Component, event.Reason) })
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "kubelet"})
	recorder.Eventf(examplePod, nil, corev1.EventTypeNormal, "Pulled", "Pull", "the image")
	broadcaster.Shutdown() // the handler has returned
	// Output: kubelet Pulled
}

func ExampleRecordBroadcaster_StartLogging() {
	broadcaster := adapter.NewRecordBroadcaster(events.WithLogger(klog.Logger{}))
	broadcaster.StartLogging(func(format string, args ...any) {
		_, text, _ := strings.Cut(fmt.Sprintf(format, args...), "type: ")
		fmt.Println(text)
	})
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "kubelet"})
	recorder.Eventf(examplePod, nil, corev1.EventTypeNormal, "Pulled", "Pull", "the image")
	broadcaster.Shutdown()
	// Output: 'Normal' reason: 'Pulled' the image
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
	a.NewRecorder("example.com/my-controller").
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

// The RBAC that is missing, for kubectl apply -f -.
func ExampleSnapshot_Remedy() {
	a := onlyCore(context.Background())
	defer a.Shutdown()

	var list struct{ Items []struct{ Kind string } }
	if err := json.Unmarshal([]byte(a.Snapshot(0).Remedy()), &list); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(list.Items)
	// Output: [{Role} {RoleBinding}]
}

// A component that wants core/v1 whatever the cluster has. EVENTSERIES_API in its environment wins.
func ExampleWithMode() {
	ctx, client := context.Background(), eventstest.NewClientset()
	a := adapter.New(ctx, client, adapter.WithMode(adapter.CoreV1))
	if err := a.Start(ctx); err != nil {
		fmt.Println(err)
		return
	}
	reconcile(a.NewRecorder("example.com/my-controller"))
	a.Shutdown()

	show(client)
	fmt.Println("creates through events.k8s.io/v1:", client.Writes().EventsV1.Creates)
	fmt.Println(a.Snapshot(0).API)
	// Output:
	// Normal Scaled (Scale) Pod default/web x3: "to 3 replicas"
	// creates through events.k8s.io/v1: 0
	// core
}
