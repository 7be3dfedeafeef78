// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
)

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

// newManager is ctrl.NewManager(config, ctrl.Options{}) in a component.
func newManager() *manager {
	return &manager{config: &rest.Config{Host: "cluster", Transport: server{}}}
}

// server serves events.k8s.io/v1, tells of the Events that it is sent, and answers each as it is.
type server struct{}

func (server) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodPost {
		fmt.Println(r.Method, strings.TrimPrefix(r.URL.Path, "/apis/"))
		return &http.Response{StatusCode: http.StatusCreated, Header: r.Header, Body: r.Body, Request: r}, nil
	}
	const served = `{"kind":"APIResourceList","apiVersion":"v1","resources":[{"name":"events"}]}`
	asJSON := http.Header{"Content-Type": {"application/json"}}
	body := io.NopCloser(strings.NewReader(served))
	return &http.Response{StatusCode: http.StatusOK, Header: asJSON, Body: body, Request: r}, nil
}

// Anything with these four methods is a Manager: controller-runtime's, or a test's own.
func ExampleManager() {
	var mgr adapter.Manager[runnable, any] = newManager()
	recorder := adapter.RecorderFor(mgr, "my-controller")
	fmt.Printf("%T\n", recorder)
	// Output: *events.Recorder
}

// A controller of a manager takes its recorder from here, in the place of the manager's own.
func ExampleRecorderFor() {
	mgr := newManager()
	recorder := adapter.RecorderFor(mgr, "my-controller")

	recorder.Eventf(examplePod, nil, "Normal", "Scaled", "Scale", "to %d replicas", 3)
	mgr.run()
	// Output: POST events.k8s.io/v1/namespaces/default/events
}

// With options: ForManager comes before the first RecorderFor, which then returns recorders of this adapter.
func ExampleForManager() {
	mgr := newManager()
	a, err := adapter.ForManager(mgr, events.WithMaxInFlight(8))
	if err != nil {
		fmt.Println(err)
		return
	}
	reconcile(adapter.RecorderFor(mgr, "my-controller"))
	mgr.run()

	fmt.Println("recorded:", a.Stats().Recorded)
	// Output:
	// POST events.k8s.io/v1/namespaces/default/events
	// recorded: 3
}
