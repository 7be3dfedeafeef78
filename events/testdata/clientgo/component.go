// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package component records events as components do that were written against client-go/tools/events. There are two
// copies of it; they differ in one import line.
package component

import (
	"context"
	"fmt"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"

	"k8s.io/client-go/tools/events"
)

// Component has a broadcaster and a recorder, and passes the recorder on.
type Component struct {
	Broadcaster events.EventBroadcaster
	Recorder    events.EventRecorder
	Named       events.EventRecorderLogger
	stop        chan struct{}
}

// A component may have a sink of its own, or client-go's.
var _ events.EventSink = &events.EventSinkImpl{}

// New starts a component that logs its events, watches them and writes them.
func New(client kubernetes.Interface, logger klog.Logger, seen func(*eventsv1.Event)) (*Component, error) {
	c := &Component{stop: make(chan struct{})}
	c.Broadcaster = events.NewBroadcaster(&events.EventSinkImpl{Interface: client.EventsV1()})
	c.Broadcaster.StartStructuredLogging(10)
	if _, err := c.Broadcaster.StartLogging(logger); err != nil {
		return nil, fmt.Errorf("logging events: %w", err)
	}
	stopWatching, err := c.Broadcaster.StartEventWatcher(func(object runtime.Object) {
		seen(object.(*eventsv1.Event))
	})
	if err != nil {
		return nil, fmt.Errorf("watching events: %w", err)
	}
	c.Broadcaster.StartRecordingToSink(c.stop)
	c.Named = c.Broadcaster.NewRecorder(scheme.Scheme, "example.com/component")
	c.Recorder = c.Named.WithLogger(logger)
	go func() {
		<-c.stop
		stopWatching()
	}()
	return c, nil
}

// NewWithContext is New with the function that takes a context, for a component that only writes.
func NewWithContext(ctx context.Context, client kubernetes.Interface) (events.EventRecorder, func(), error) {
	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: client.EventsV1()})
	if err := broadcaster.StartRecordingToSinkWithContext(ctx); err != nil {
		return nil, nil, err
	}
	return broadcaster.NewRecorder(scheme.Scheme, "example.com/component"), broadcaster.Shutdown, nil
}

// Work records what happens to an object.
func Work(recorder events.EventRecorder, object, peer runtime.Object) {
	recorder.Eventf(object, peer, "Normal", "Killing", "Kill", "stopping in %d s", 30)
}

// Stop ends the component.
func (c *Component) Stop() {
	close(c.stop)
	c.Broadcaster.Shutdown()
}

// Fake returns what the component records, as its unit tests see it.
func Fake(object runtime.Object) string {
	recorder := events.NewFakeRecorder(1)
	var _ *events.FakeRecorder = recorder
	Work(recorder, object, nil)
	return <-recorder.Events
}

// Selector selects the Events about a pod.
func Selector(name string) (fields.Selector, error) {
	kind := schema.GroupVersionKind{Version: "v1", Kind: "Pod"}
	return events.GetFieldSelector(eventsv1.SchemeGroupVersion, kind, name, "1")
}
