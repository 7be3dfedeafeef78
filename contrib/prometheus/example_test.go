// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventsprom_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/adapter"
	eventsprom "github.com/eventseries/eventseries/contrib/prometheus"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// show prints one metric as Prometheus gets it.
func show(registry *prometheus.Registry, name string) {
	answer := httptest.NewRecorder()
	promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP(answer, httptest.NewRequest("GET", "/metrics", nil))
	for line := range strings.Lines(answer.Body.String()) {
		if strings.HasPrefix(line, name) {
			fmt.Print(line)
		}
	}
}

func ExampleNewCollector() {
	a := adapter.New(context.Background(), eventstest.NewClientset())
	defer a.Shutdown()
	registry := prometheus.NewRegistry()
	registry.MustRegister(eventsprom.NewCollector(a))

	recorder := a.Recorder("example.com/my-controller")
	for range 3 {
		recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "to %d replicas", 3)
	}
	show(registry, "eventseries_occurrences_total")
	// Output:
	// eventseries_occurrences_total{controller="example.com/my-controller",kind="Pod",reason="Scaled",type="Normal"} 3
}

// A process with two adapters names each of them.
func ExampleNewCollector_twoAdapters() {
	registry := prometheus.NewRegistry()
	for _, cluster := range []string{"home", "edge"} {
		a := adapter.New(context.Background(), eventstest.NewClientset())
		defer a.Shutdown()
		labeled := prometheus.WrapRegistererWith(prometheus.Labels{"cluster": cluster}, registry)
		labeled.MustRegister(eventsprom.NewCollector(a))
	}
	show(registry, "eventseries_pending")
	// Output:
	// eventseries_pending{cluster="edge"} 0
	// eventseries_pending{cluster="home"} 0
}

// withoutAPI leaves out which API is in use.
type withoutAPI struct{ *adapter.Adapter }

func (s withoutAPI) Snapshot(n int) events.Snapshot { return s.Adapter.Snapshot(n).Snapshot }

// A Source may wrap another, to export a part of it.
func ExampleSource() {
	a := adapter.New(context.Background(), eventstest.NewClientset())
	defer a.Shutdown()
	registry := prometheus.NewRegistry()
	registry.MustRegister(eventsprom.NewCollector(withoutAPI{a}))
	show(registry, "eventseries_api_info")
	show(registry, "eventseries_series")
	// Output:
	// eventseries_series 0
}
