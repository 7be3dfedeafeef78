// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Command example is the program that contrib/otel/README.md names.
package main

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploggrpc"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	otelevents "github.com/eventseries/eventseries/contrib/otel"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/sinks"
)

func main() {
	ctx := context.Background()
	exporter, err := otlploggrpc.New(ctx, // OTEL_EXPORTER_OTLP_ENDPOINT has the collector's address
		otlploggrpc.WithTimeout(time.Hour), // of an export with its retries; 10 s by default
		otlploggrpc.WithRetry(otlploggrpc.RetryConfig{
			Enabled: true, InitialInterval: time.Second, MaxInterval: 30 * time.Second, MaxElapsedTime: time.Hour,
		}))
	if err != nil {
		klog.Fatal(err)
	}
	provider := sdklog.NewLoggerProvider(sdklog.WithProcessor(sdklog.NewBatchProcessor(exporter,
		sdklog.WithMaxQueueSize(1<<16), sdklog.WithExportTimeout(time.Hour))))
	exported, err := otelevents.NewSink(provider)
	if err != nil {
		klog.Fatal(err)
	}

	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(
		clientcmd.NewDefaultClientConfigLoadingRules(), nil).ClientConfig()
	if err != nil {
		klog.Fatal(err)
	}
	a, err := adapter.NewForConfig(ctx, config,
		adapter.WithSink(func(api events.Sink) events.Sink { return sinks.Tee(api, exported) }),
		events.WithContextAnnotations(otelevents.TraceContext))
	if err != nil {
		klog.Fatal(err)
	}
	if err := a.Start(ctx); err != nil {
		klog.Fatal(err)
	}

	pod := &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: "web"}
	recorder := a.Recorder("example.com/hello").WithContext(ctx)
	recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Greeted", "Greet", "hello")

	a.Shutdown() // writes what is pending, and flushes the provider
	if err := provider.Shutdown(ctx); err != nil {
		klog.Error(err)
	}
}
