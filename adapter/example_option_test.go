// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
	"github.com/eventseries/eventseries/sinks"
)

// recordWith runs the component over an adapter with these options, and prints what is on the server.
func recordWith(client *eventstest.Clientset, opts ...adapter.Option) *adapter.Adapter {
	ctx := context.Background()
	a := adapter.New(ctx, client, opts...)
	if err := a.Start(ctx); err != nil {
		fmt.Println(err)
	}
	reconcile(a.Recorder("example.com/my-controller"))
	a.Shutdown()
	show(client)
	return a
}

// Only Warnings are written. Whoever runs the component can say so, too: EVENTSERIES_SELECTOR=type=Warning.
func ExampleWithSelector() {
	a := recordWith(eventstest.NewClientset(), adapter.WithSelector("type=Warning"))
	fmt.Println("not selected:", a.Stats().Dropped[events.DropUnselected])
	// Output: not selected: 3
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

// manager stands in for controller-runtime's, which is a Manager as it is: this module does not import that one.
type manager struct {
	config    *rest.Config
	runnables []runnable
}

type runnable interface {
	Start(ctx context.Context) error
}

func (m *manager) Add(r runnable) error       { m.runnables = append(m.runnables, r); return nil }
func (m *manager) GetCache() any              { return nil }
func (m *manager) GetConfig() *rest.Config    { return m.config }
func (m *manager) GetScheme() *runtime.Scheme { return scheme.Scheme }

// run is a manager's Start that is told to end at once: what it runs is drained.
func (m *manager) run() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, r := range m.runnables {
		if err := r.Start(ctx); err != nil {
			fmt.Println(err)
		}
	}
}

// A controller of a manager takes its recorder from here, in the place of the manager's own.
func ExampleRecorderFor() {
	server := apiserver.New()
	mgr := &manager{config: server.Config()} // in a component: ctrl.NewManager(config, ctrl.Options{})
	recorder := adapter.RecorderFor(mgr, "my-controller")

	recorder.Eventf(examplePod, nil, "Normal", "Scaled", "Scale", "to %d replicas", 3)
	mgr.run()
	show(server.Clientset)
	// Output: Normal Scaled (Scale) Pod default/web x1: "to 3 replicas"
}

// With options: ForManager comes before the first RecorderFor, which then returns recorders of this adapter.
func ExampleForManager() {
	mgr := &manager{config: apiserver.New().Config()}
	a, err := adapter.ForManager(mgr, events.WithMaxSeries(10_000))
	if err != nil {
		fmt.Println(err)
		return
	}
	reconcile(adapter.RecorderFor(mgr, "my-controller"))
	mgr.run()

	fmt.Println("recorded:", a.Stats().Recorded)
	// Output: recorded: 3
}
