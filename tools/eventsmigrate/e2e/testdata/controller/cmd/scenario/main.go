// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Scenario has the controllers work on objects in memory, and sends their Events to a server. It ends with its
// standard input.
package main

import (
	"context"
	"flag"
	"io"
	"log"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"

	"example.com/podwatch/pkg/copies"
	"example.com/podwatch/pkg/leader"
	"example.com/podwatch/pkg/pods"
)

func main() {
	server := flag.String("server", "", "the URL of the API server that gets the Events")
	flag.Parse()
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	config := &rest.Config{Host: *server, QPS: -1}
	config.ContentType = "application/json"
	eventClient := kubernetes.NewForConfigOrDie(config)
	if err := play(ctx, fake.NewClientset(objects()...), eventClient); err != nil {
		log.Fatal(err)
	}
}

func play(ctx context.Context, client, eventClient kubernetes.Interface) error {
	broadcaster := record.NewBroadcaster()
	defer broadcaster.Shutdown()
	sink := &typedcorev1.EventSinkImpl{Interface: eventClient.CoreV1().Events("")}
	watcher := broadcaster.StartRecordingToSink(sink)
	defer watcher.Stop()

	copyRecorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "podwatch-copies"})
	leaderRecorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "podwatch"})
	factory := informers.NewSharedInformerFactory(client, 0)
	configs := copies.New(client, factory, copyRecorder)
	podController := pods.NewController(ctx, client, eventClient, factory.Core().V1().Pods())
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())

	go configs.Run(ctx.Done())
	go func() {
		if err := podController.Run(ctx, 1); err != nil {
			log.Print(err)
		}
	}()
	return leader.Run(ctx, client, leader.Config{
		Namespace: "podwatch-system", Name: "podwatch", Identity: "scenario", Recorder: leaderRecorder,
	}, func(context.Context) {})
}
