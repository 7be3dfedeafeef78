// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Watcher keeps copies of ConfigMaps until it is stopped.
package main

import (
	"flag"
	"os"
	"os/signal"
	"syscall"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedv1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"example.com/podwatch/pkg/copies"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "path to a kubeconfig; empty in a cluster")
	klog.InitFlags(nil)
	flag.Parse()

	stopCh := make(chan struct{})
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		close(stopCh)
	}()

	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		klog.Fatalf("Error building kubeconfig: %v", err)
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		klog.Fatalf("Error building clientset: %v", err)
	}

	broadcaster := record.NewBroadcaster()
	broadcaster.StartLogging(klog.Infof)
	broadcaster.StartRecordingToSink(&typedv1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	recorder := broadcaster.NewRecorder(scheme.Scheme, v1.EventSource{Component: "podwatch-copies"})

	factory := informers.NewSharedInformerFactory(client, 10*time.Minute)
	controller := copies.New(client, factory, recorder)
	factory.Start(stopCh)
	factory.WaitForCacheSync(stopCh)
	controller.Run(stopCh)
}
