// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Opentelemetry is an operator whose Events also go to an OpenTelemetry collector, as log records that name the trace
// of the reconcile. It also has the metrics and the debug page of the operator in the parent directory.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploggrpc"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/eventseries/eventseries/adapter"
	otelevents "github.com/eventseries/eventseries/contrib/otel"
	eventsprom "github.com/eventseries/eventseries/contrib/prometheus"
	"github.com/eventseries/eventseries/debug"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/sinks"
)

func main() {
	listen := flag.String("listen", ":8080", "address of the metrics")
	page := flag.String("page", "127.0.0.1:8082", "address of the debug page, which has no authentication")
	flag.Parse()
	ctrl.SetLogger(klog.Background())
	if err := run(ctrl.SetupSignalHandler(), ctrl.GetConfigOrDie(), *listen, *page); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run runs the operator until ctx ends.
func run(ctx context.Context, config *rest.Config, listen, page string) (err error) {
	mgr, err := ctrl.NewManager(config, ctrl.Options{Metrics: server.Options{BindAddress: listen}})
	if err != nil {
		return err
	}
	// $OTEL_EXPORTER_OTLP_ENDPOINT says where the collector is. Over HTTP, this exporter drops a batch
	// that meets a collector which restarts; over gRPC it tries again.
	exporter, err := otlploggrpc.New(ctx)
	if err != nil {
		return err
	}
	provider := sdklog.NewLoggerProvider(sdklog.WithProcessor(sdklog.NewBatchProcessor(exporter)))
	defer func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		err = errors.Join(err, provider.Shutdown(end)) // after the adapter, which the manager ends
	}()
	exported, err := otelevents.NewSink(provider)
	if err != nil {
		return err
	}

	a, err := adapter.ForManager(mgr,
		adapter.WithSink(func(api events.Sink) events.Sink { return sinks.Tee(api, exported) }),
		events.WithContextAnnotations(otelevents.TraceContext))
	if err != nil {
		return err
	}
	if err := metrics.Registry.Register(eventsprom.NewCollector(a)); err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/debug/events", debug.Handler(a))
	err = mgr.Add(&manager.Server{Name: "page", Server: &http.Server{Addr: page, Handler: mux}})
	if err != nil {
		return err
	}

	greeter := &greeter{client: mgr.GetClient(), recorder: a.Recorder("example.com/greeter")}
	if err := greeter.register(mgr); err != nil {
		return err
	}
	return mgr.Start(ctx)
}
