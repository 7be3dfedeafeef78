// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package main wires a controller by hand.
package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
)

type controller struct{ Recorder record.EventRecorder } // want "record\\.EventRecorder is events\\.EventRecorder in the events API"

func (c *controller) run(stop chan struct{}) {}

func main() {
	client := kubernetes.NewForConfigOrDie(&rest.Config{})
	stop := make(chan struct{})
	broadcaster := record.NewBroadcaster()                                                                           // want "the broadcaster becomes an adapter, which writes events\\.k8s\\.io/v1 series"
	broadcaster.StartLogging(func(format string, args ...interface{}) { text := format; klog.Infof(text, args...) }) // want "StartLogging takes no printf function in the events API: klog at level 0"
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})              // want "the broadcaster starts, and stop ends it; at the end it writes what is pending"
	c := &controller{Recorder: broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "main"})}        // want "NewRecorder takes the component's name"
	c.run(stop)
}

// Config is exported, but nobody can import it.
type Config struct{ Broadcaster record.EventBroadcaster } // want "record\\.EventBroadcaster is \\*adapter\\.Adapter"

func NewConfig(client kubernetes.Interface) *Config {
	c := &Config{Broadcaster: record.NewBroadcaster(record.WithContext(context.TODO()))}                  // want "the broadcaster becomes an adapter, which writes events\\.k8s\\.io/v1 series"
	c.Broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")}) // want "the broadcaster starts; no context or stop channel is in scope" "nothing ends this broadcaster: call c\\.Broadcaster\\.Shutdown\\(\\) when the component ends, or what is pending then is lost"
	return c
}
