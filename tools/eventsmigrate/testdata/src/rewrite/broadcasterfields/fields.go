// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package broadcasterfields keeps broadcasters in fields, as kube-controller-manager does.
package broadcasterfields

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
)

// Deployments is made by one function and run by another.
type Deployments struct {
	client kubernetes.Interface
	// eventBroadcaster writes what eventRecorder records.
	eventBroadcaster record.EventBroadcaster // want "record\\.EventBroadcaster is \\*adapter\\.Adapter"
	eventRecorder    record.EventRecorder    // want "record\\.EventRecorder is events\\.EventRecorder in the events API"
}

func NewDeployments(ctx context.Context, kubeClient kubernetes.Interface) *Deployments {
	eventBroadcaster := record.NewBroadcaster(record.WithContext(ctx)) // want "the broadcaster becomes an adapter, which writes events\\.k8s\\.io/v1 series"
	return &Deployments{
		client:           kubeClient,
		eventBroadcaster: eventBroadcaster,
		eventRecorder:    eventBroadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "deployments"}), // want "NewRecorder takes the component's name"
	}
}

func (d *Deployments) Run(ctx context.Context, workers int) {
	d.eventBroadcaster.StartStructuredLogging(3)
	d.eventBroadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: d.client.CoreV1().Events("")}) // want "the broadcaster starts, and the end of ctx ends it"
	defer d.eventBroadcaster.Shutdown()
	<-ctx.Done()
}

// Disruption is assigned field by field.
type Disruption struct {
	client      kubernetes.Interface
	scheme      *runtime.Scheme
	broadcaster record.EventBroadcaster // want "record\\.EventBroadcaster is \\*adapter\\.Adapter"
	recorder    record.EventRecorder    // want "record\\.EventRecorder is events\\.EventRecorder in the events API"
}

func NewDisruption(client kubernetes.Interface, own *runtime.Scheme) *Disruption {
	d := &Disruption{scheme: own}
	d.client = client
	d.broadcaster = record.NewBroadcaster() // want "the broadcaster becomes an adapter, which writes events\\.k8s\\.io/v1 series"
	return d
}

func (d *Disruption) Run(stopCh <-chan struct{}) error {
	d.broadcaster.StartLogging(klog.Infof)                                                                  // want "StartLogging takes no printf function in the events API: klog at level 0"
	d.recorder = d.broadcaster.NewRecorder(d.scheme, corev1.EventSource{Component: "disruption"})           // want "NewRecorder takes the component's name"
	d.broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: d.client.CoreV1().Events("")}) // want "the broadcaster starts, and stopCh ends it"
	<-stopCh
	return nil
}

// Nodes makes it when it runs.
type Nodes struct {
	client      kubernetes.Interface
	broadcaster record.EventBroadcaster // want "record\\.EventBroadcaster is \\*adapter\\.Adapter"
	recorder    record.EventRecorder    // want "record\\.EventRecorder is events\\.EventRecorder in the events API"
}

func (n *Nodes) Run(ctx context.Context) error {
	n.broadcaster = record.NewBroadcaster(record.WithContext(ctx))                                // want "the broadcaster becomes an adapter, which writes events\\.k8s\\.io/v1 series"
	n.recorder = n.broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "nodes"}) // want "NewRecorder takes the component's name"
	if n.broadcaster != nil {
		n.broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: n.client.CoreV1().Events("")}) // want "the broadcaster starts with a context, whose end ends it"
	}
	<-ctx.Done()
	return nil
}

// Functions of the package take and return it. Its own context outlasts theirs.
func makeBroadcaster(ctx context.Context, client kubernetes.Interface) (record.EventBroadcaster, record.EventRecorder) { // want "record\\.EventBroadcaster is \\*adapter\\.Adapter" "record\\.EventRecorder is events\\.EventRecorder in the events API"
	b := record.NewBroadcaster(record.WithContext(context.Background()))                      // want "the broadcaster becomes an adapter, which writes events\\.k8s\\.io/v1 series"
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")}) // want "the broadcaster starts; no context or stop channel is in scope"
	return b, recorderOf(b)
}

func recorderOf(b record.EventBroadcaster) record.EventRecorder { // want "record\\.EventBroadcaster is \\*adapter\\.Adapter" "record\\.EventRecorder is events\\.EventRecorder in the events API"
	return b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "functions"}) // want "NewRecorder takes the component's name"
}

func useBroadcaster(ctx context.Context, client kubernetes.Interface) record.EventRecorder { // want "record\\.EventRecorder is events\\.EventRecorder in the events API"
	var b, recorder = makeBroadcaster(ctx, client)
	defer b.Shutdown()
	return recorder
}

var shared record.EventBroadcaster // want "record\\.EventBroadcaster is \\*adapter\\.Adapter"

func share(ctx context.Context, client kubernetes.Interface) {
	shared = record.NewBroadcaster()                                                               // want "the broadcaster becomes an adapter, which writes events\\.k8s\\.io/v1 series"
	shared.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")}) // want "the broadcaster starts, and the end of ctx ends it"
}
