// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	eventsprom "github.com/eventseries/eventseries/contrib/prometheus"
)

func main() {
	listen := flag.String("listen", ":8080", "address of the metrics")
	flag.Parse()
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil).ClientConfig()
	if err != nil {
		klog.Fatal(err)
	}
	ctx := context.Background()
	a, err := adapter.NewForConfig(ctx, config)
	if err != nil {
		klog.Fatal(err)
	}
	if err := a.Start(ctx); err != nil {
		klog.Fatal(err)
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(eventsprom.NewCollector(a))

	recorder := a.Recorder("example.com/hello")
	pod := &corev1.ObjectReference{
		APIVersion: "v1",
		Kind:       "Pod",
		Namespace:  "default",
		Name:       "web",
	}
	recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Greeted", "Greet", "hello")

	http.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	listener, err := net.Listen("tcp", *listen)
	if err != nil {
		klog.Fatal(err)
	}
	fmt.Printf("http://%s/metrics\n", listener.Addr())
	klog.Fatal(http.Serve(listener, nil))
}
