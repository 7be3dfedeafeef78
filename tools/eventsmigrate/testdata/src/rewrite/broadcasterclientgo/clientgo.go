// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package broadcasterclientgo moves to client-go's own events.
package broadcasterclientgo

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

type controller struct {
	client      kubernetes.Interface
	broadcaster record.EventBroadcaster // want "record\\.EventBroadcaster is events\\.EventBroadcaster in the events API"
	recorder    record.EventRecorder    // want "record\\.EventRecorder is events\\.EventRecorder in the events API"
}

func newController(client kubernetes.Interface) *controller {
	c := &controller{client: client, broadcaster: record.NewBroadcaster(record.WithSleepDuration(1))}  // want "the broadcaster becomes one of the events API, with its sink; the events API has nothing like WithSleepDuration"
	c.recorder = c.broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "controller"}) // want "NewRecorder takes the component's name"
	return c
}

func (c *controller) run(ctx context.Context) error {
	c.broadcaster.StartLogging(klog.Infof)                                                                  // want "StartLogging takes no printf function in the events API: klog at level 0"
	c.broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: c.client.CoreV1().Events("")}) // want "the broadcaster starts, and the end of ctx ends it"
	<-ctx.Done()
	return ctx.Err()
}

func run(ctx context.Context, config *rest.Config) error {
	broadcaster := record.NewBroadcaster() // want "the broadcaster becomes one of the events API, with its sink"
	broadcaster.StartStructuredLogging(4)
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})           // want "the broadcaster starts with a context, whose end ends it"
	newController(client).recorder = broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "run"}) // want "NewRecorder takes the component's name"
	return newController(client).run(ctx)
}

func endless(client kubernetes.Interface) record.EventRecorder { // want "record\\.EventRecorder is events\\.EventRecorder in the events API"
	b := record.NewBroadcaster()                                                              // want "the broadcaster becomes one of the events API, with its sink"
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")}) // want "the broadcaster starts; no context or stop channel is in scope"
	return b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "endless"})             // want "NewRecorder takes the component's name"
}
