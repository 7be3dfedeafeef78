// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/legacy"
	"github.com/eventseries/eventseries/sinks"
)

// recordWith runs the component over an adapter with these options, and prints what is on the server.
func recordWith(client *eventstest.Clientset, opts ...adapter.Option) *adapter.Adapter {
	ctx := context.Background()
	a := adapter.New(ctx, client, opts...)
	if err := a.Start(ctx); err != nil {
		fmt.Println(err)
	}
	reconcile(a.NewRecorder("example.com/my-controller"))
	a.Shutdown()
	show(client)
	return a
}

// A cluster without events.k8s.io/v1, and a component that wants its series there, too. In mode Auto such a cluster gets
// what client-go would have written.
func ExampleWithMode_series() {
	client := eventstest.NewClientset()
	client.ServeEventsV1(false)
	recordWith(client, adapter.WithMode(adapter.CoreV1))
	fmt.Println("creates through core/v1:", client.Writes().CoreV1.Creates)
	// Output:
	// Normal Scaled (Scale) Pod default/web x3: "to 3 replicas"
	// creates through core/v1: 1
}

// The options of package events apply to an adapter: this one keeps notes apart, and tells of drops.
func ExampleOption() {
	a := recordWith(eventstest.NewClientset(), events.WithNotes(events.NotesDistinct(10)),
		events.WithDropHandler(func(d events.Drop) { fmt.Println("dropped:", d.Reason) }))
	reconcile(a.NewRecorder("example.com/my-controller")) // after the end
	// Output:
	// Normal Scaled (Scale) Pod default/web x3: "to 3 replicas"
	// dropped: Stopped
	// dropped: Stopped
	// dropped: Stopped
}

// Those of package legacy apply when Events are correlated: here, because the adapter is told to.
func ExampleOption_correlator() {
	tuned := legacy.CorrelatorOptions{BurstSize: 2} // two events about an object, then one in 5 minutes
	a := recordWith(eventstest.NewClientset(),
		adapter.WithMode(adapter.Legacy),
		legacy.WithCorrelatorOptions(tuned))
	fmt.Println("suppressed:", a.Stats().Dropped[events.SpamFilter])
	// Output:
	// Normal Scaled (Scale) Pod default/web x2: "to 3 replicas"
	// suppressed: 1
}

// Only Warnings are written. Whoever runs the component can say so, too: EVENTSERIES_SELECTOR=type=Warning.
func ExampleWithSelector() {
	a := recordWith(eventstest.NewClientset(), adapter.WithSelector("type=Warning"))
	fmt.Println("muted:", a.Stats().Dropped[events.Muted])
	// Output: muted: 3
}

// Only Warnings go to the API server; everything goes to a log of its own.
func ExampleWithSink() {
	client, everything := eventstest.NewClientset(), &strings.Builder{}
	warnings := func(e *eventsv1.Event) bool { return e.Type == corev1.EventTypeWarning }
	recordWith(client, adapter.WithSink(func(api events.Sink) events.Sink {
		return sinks.Tee(sinks.Filter(api, warnings), sinks.JSONLines(everything))
	}))
	fmt.Println("on the server:", len(client.Events()), "in the log:", strings.Contains(everything.String(), "Scaled"))
	// Output: on the server: 0 in the log: true
}

// What a component records, by reason.
func ExampleAdapter_Snapshot_counts() {
	a := recordWith(eventstest.NewClientset())
	for _, c := range a.Snapshot(0).Counts {
		fmt.Println(c.ReportingController, c.RegardingKind, c.Type, c.Reason, c.Recorded)
	}
	// Output:
	// Normal Scaled (Scale) Pod default/web x3: "to 3 replicas"
	// example.com/my-controller Pod Normal Scaled 3
}

// Every request, for a metric.
func ExampleAdapter_OnRequest() {
	ctx := context.Background()
	a := adapter.New(ctx, eventstest.NewClientset())
	stop := a.OnRequest(func(r events.Request) { fmt.Println(r.Operation, r.API, r.Code) })
	defer stop()
	a.NewRecorder("example.com/my-controller").
		Eventf(examplePod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "to %d replicas", 3)
	_ = a.Flush(ctx)
	// Output: create events.k8s.io/v1 201
}

// Events in the component's log as well, from klog's verbosity 4 on; below it that costs nothing.
func ExampleAdapter_StartStructuredLogging() {
	client := eventstest.NewClientset()
	a := adapter.New(context.Background(), client)
	stop := a.StartStructuredLogging(4)
	defer stop()
	if err := a.Start(context.Background()); err != nil {
		fmt.Println(err)
	}
	reconcile(a.NewRecorder("example.com/my-controller"))
	a.Shutdown()
	show(client)
	// Output: Normal Scaled (Scale) Pod default/web x3: "to 3 replicas"
}

// An operator rolls a component back to core/v1 by its environment, without a build.
func ExampleEnvironment() {
	_ = os.Setenv(adapter.Environment, "core") // env: [{name: EVENTSERIES_API, value: core}]
	defer func() { _ = os.Unsetenv(adapter.Environment) }()

	a := recordWith(eventstest.NewClientset(), adapter.WithMode(adapter.EventsV1))
	fmt.Println("written through:", a.Snapshot(0).API)
	// Output:
	// Normal Scaled (Scale) Pod default/web x3: "to 3 replicas"
	// written through: core
}

// Labels, by which kubectl get events -l app=shop and other clients select.
func ExampleWithLabels() {
	client := eventstest.NewClientset()
	recordWith(client, events.WithLabels(map[string]string{"app": "shop"}))
	for _, selector := range []string{"app=shop", "app!=shop"} {
		selected, err := client.EventsV1().Events("default").List(
			context.Background(), metav1.ListOptions{LabelSelector: selector})
		fmt.Println(selector, len(selected.Items), err)
	}
	// Output:
	// Normal Scaled (Scale) Pod default/web x3: "to 3 replicas" labels map[app:shop]
	// app=shop 1 <nil>
	// app!=shop 0 <nil>
}
