// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package broadcaster has broadcasters wherever they may be.
package broadcaster

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
)

// Dependencies are as kubelet's.
type Dependencies struct {
	EventClient typedcorev1.EventsGetter
	Recorder    record.EventRecorder
	Broadcaster record.EventBroadcaster
}

func makeRecorder(ctx context.Context, deps *Dependencies) {
	b := record.NewBroadcaster(record.WithContext(ctx))
	defer b.Shutdown()
	deps.Recorder = b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "kubelet", Host: "node"})
	b.StartStructuredLogging(3)
	b.StartLogging(klog.Infof).Stop()
	b.StartEventWatcher(func(event *corev1.Event) { klog.Infof(event.Reason) })
	if deps.EventClient != nil {
		b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: deps.EventClient.Events("")})
	}
	deps.Broadcaster = b
}

// Nodes makes it when it runs.
type Nodes struct {
	client      kubernetes.Interface
	broadcaster record.EventBroadcaster
	recorder    record.EventRecorder
}

func (n *Nodes) Run(sink record.EventSink) {
	if n.broadcaster == nil {
		n.broadcaster = NewBroadcaster()
	}
	n.recorder = n.broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "nodes"})
	n.recorder.Eventf(&corev1.Node{}, "Normal", "Started", "by %s", "nobody")
	<-n.broadcaster.StartRecordingToSink(sink).ResultChan()
}

func NewBroadcaster() record.EventBroadcaster { return record.NewBroadcaster() }

type maker interface {
	make(opts ...record.BroadcasterOption) (record.EventBroadcaster, error)
}

type embeds struct{ record.EventBroadcaster }

// counted takes the place of another broadcaster.
type counted struct {
	record.EventBroadcaster
	ends int
}

func (c *counted) Shutdown() { c.ends++; c.EventBroadcaster.Shutdown() }

func count(n *Nodes) { n.broadcaster = &counted{EventBroadcaster: n.broadcaster} }

func kept(m maker) func() {
	all := map[string]record.EventBroadcaster{"a": record.NewBroadcaster()}
	for _, b := range all {
		_ = embeds{EventBroadcaster: b}.EventBroadcaster
	}
	b, _ := m.make(record.WithContext(context.Background()))
	recorder := b.NewRecorder(scheme.Scheme, corev1.EventSource{})
	recorder.Event(&corev1.Pod{}, "Normal", "Made", "made")
	record.NewEventRecorderAdapter(recorder).Eventf(nil, nil, "Normal", "Bridged", "Bridge", "no more")
	newBroadcaster := record.NewBroadcaster
	return newBroadcaster().Shutdown
}

func lost(ctx context.Context) {
	record.NewBroadcasterForTests(0 * time.Second)
	record.NewBroadcasterWithCorrelatorOptions(record.CorrelatorOptions{BurstSize: 1})
	record.NewBroadcaster(
		record.WithSleepDuration(time.Second),
		record.WithContext(ctx),
		record.WithCorrelatorOptions(record.CorrelatorOptions{LRUCacheSize: size()}),
	)
	record.NewBroadcaster(record.WithContext(ctx), record.WithSleepDuration(1), record.WithSleepDuration(2))
	fmt.Println(record.WithSleepDuration(3), record.CorrelatorOptions{})
}

func handedIn(opts ...record.BroadcasterOption) record.EventBroadcaster {
	return record.NewBroadcaster(opts...)
}

func size() int { return 1 }
