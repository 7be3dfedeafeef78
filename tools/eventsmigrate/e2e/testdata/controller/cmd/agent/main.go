// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Agent looks after pods while it leads.
package main

import (
	"context"
	"flag"
	"os"
	"os/signal"
	"syscall"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"example.com/podwatch/pkg/leader"
	"example.com/podwatch/pkg/pods"
)

var (
	kubeconfig = flag.String("kubeconfig", "", "path to a kubeconfig; empty in a cluster")
	namespace  = flag.String("namespace", "podwatch-system", "where the lease is")
	identity   = flag.String("identity", "", "who this is; default: the host name")
)

func main() {
	klog.InitFlags(nil)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		klog.ErrorS(err, "agent")
		klog.FlushAndExit(klog.ExitFlushTimeout, 1)
	}
}

func run(ctx context.Context) error {
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		return err
	}
	client := kubernetes.NewForConfigOrDie(config)
	eventClient := kubernetes.NewForConfigOrDie(rest.AddUserAgent(config, "events"))

	broadcaster := record.NewBroadcaster(record.WithContext(ctx))
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: eventClient.CoreV1().Events("")})
	defer broadcaster.Shutdown()

	host, _ := os.Hostname()
	if *identity == "" {
		*identity = host
	}
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "podwatch", Host: host})
	return leader.Run(ctx, client, leader.Config{
		Namespace: *namespace,
		Name:      "podwatch",
		Identity:  *identity,
		Recorder:  recorder,
	}, func(ctx context.Context) {
		factory := informers.NewSharedInformerFactory(client, 0)
		controller := pods.NewController(ctx, client, eventClient, factory.Core().V1().Pods())
		factory.Start(ctx.Done())
		if err := controller.Run(ctx, 2); err != nil {
			klog.FromContext(ctx).Error(err, "controller of pods")
		}
	})
}
