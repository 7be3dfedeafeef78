// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Operator is the operator of docs/start.md: a controller of controller-runtime that records Events, with metrics, a
// debug page, two options, and a graceful shutdown.
package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/eventseries/eventseries/adapter"
	eventsprom "github.com/eventseries/eventseries/contrib/prometheus"
	"github.com/eventseries/eventseries/debug"
	"github.com/eventseries/eventseries/events"
)

func main() {
	metricsAddress := flag.String("metrics", ":8080", "address of the metrics")
	debugAddress := flag.String("debug", "127.0.0.1:8082", "address of the debug page, which has no authentication")
	flag.Parse()
	ctrl.SetLogger(klog.Background())
	if err := run(ctrl.SetupSignalHandler(), ctrl.GetConfigOrDie(), *metricsAddress, *debugAddress); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run runs the operator until ctx ends, and returns after the pending Events are written.
func run(ctx context.Context, config *rest.Config, metricsAddress, debugAddress string) error {
	mgr, err := ctrl.NewManager(config, ctrl.Options{Metrics: server.Options{BindAddress: metricsAddress}})
	if err != nil {
		return err
	}

	// The adapter writes the Events of the whole process. The manager starts it, and shuts it down after the
	// controllers have stopped. A reconcile that fails is repeated after up to 17 minutes, so failures
	// within 20 minutes are counted in one Event.
	a, err := adapter.ForManager(mgr,
		events.WithFinishInterval(20*time.Minute),
		events.WithDrainTimeout(10*time.Second))
	if err != nil {
		return err
	}
	if err := metrics.Registry.Register(eventsprom.NewCollector(a)); err != nil {
		return err
	}

	// The debug page shows Events of all namespaces to everyone who can open it. On a loopback address, only
	// kubectl port-forward can reach it.
	mux := http.NewServeMux()
	mux.Handle("/debug/events", debug.Handler(a))
	page := &manager.Server{Name: "debug", Server: &http.Server{Addr: debugAddress, Handler: mux}}
	if err := mgr.Add(page); err != nil {
		return err
	}

	reconciler := &Reconciler{Client: mgr.GetClient(), Recorder: a.Recorder("my-controller")}
	if err := ctrl.NewControllerManagedBy(mgr).For(&corev1.ConfigMap{}).Complete(reconciler); err != nil {
		return err
	}
	return mgr.Start(ctx)
}
