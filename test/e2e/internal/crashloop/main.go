// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Program crashloop records Events about one pod until it is killed, as a component does that crashes again and again.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "the `file` that names the server")
	namespace := flag.String("namespace", "default", "the pod's `namespace`")
	instance := flag.String("instance", "", "the reporting `instance`")
	written := flag.Int("written", 5, "how many occurrences to write, before it says so and records without end")
	flag.Parse()
	log.Fatal(run(*kubeconfig, *namespace, *instance, *written))
}

// run returns only if it cannot record.
func run(kubeconfig, namespace, instance string, written int) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	ctx := context.Background()
	a, err := adapter.NewForConfig(ctx, config, events.WithReportingInstance(instance), events.WithSharedCounts())
	if err != nil {
		return err
	}
	if err := a.Start(ctx); err != nil {
		return err
	}
	recorder := a.Recorder("example.com/crashloop")
	pod := &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: namespace, Name: "web", UID: "of-web"}
	for range written {
		recorder.Eventf(pod, nil, corev1.EventTypeWarning, "BackOff", "Restarting", "it crashes")
	}
	if err := a.Flush(ctx); err != nil {
		return err
	}
	fmt.Println("written")
	for recorded := range 100 { // these may be lost, or not
		recorder.Eventf(pod, nil, corev1.EventTypeWarning, "BackOff", "Restarting", "it crashes")
		if recorded%10 == 0 {
			go func() { _ = a.Flush(ctx) }() // so that it is killed in the middle of a write
		}
	}
	select {}
}
