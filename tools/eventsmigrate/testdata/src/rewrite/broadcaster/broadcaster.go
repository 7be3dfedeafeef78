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
type Dependencies struct { // want "broadcaster\\.Dependencies is exported and changes its type: users in other modules change with it"
	EventClient typedcorev1.EventsGetter
	Recorder    record.EventRecorder    // want "record\\.EventRecorder becomes events\\.EventRecorder"
	Broadcaster record.EventBroadcaster // want "record\\.EventBroadcaster becomes adapter\\.RecordEventBroadcaster"
}

func makeRecorder(ctx context.Context, deps *Dependencies) {
	b := record.NewBroadcaster(record.WithContext(ctx)) // want "record\\.NewBroadcaster becomes adapter\\.NewRecordBroadcaster" "record\\.WithContext becomes adapter\\.WithContext"
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
	broadcaster record.EventBroadcaster // want "record\\.EventBroadcaster becomes adapter\\.RecordEventBroadcaster"
	recorder    record.EventRecorder    // want "record\\.EventRecorder becomes events\\.EventRecorder"
}

func (n *Nodes) Run(sink record.EventSink) {
	if n.broadcaster == nil {
		n.broadcaster = NewBroadcaster()
	}
	n.recorder = n.broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "nodes"})
	n.recorder.Eventf(&corev1.Node{}, "Normal", "Started", "by %s", "nobody") // want "Eventf becomes Eventf with action \"Started\"" "reason \"Started\" becomes the action, too: say here what was done, such as \"Start\""
	<-n.broadcaster.StartRecordingToSink(sink).ResultChan()
}

func NewBroadcaster() record.EventBroadcaster { return record.NewBroadcaster() } // want "broadcaster\\.NewBroadcaster is exported and changes its type: users in other modules change with it" "record\\.EventBroadcaster becomes adapter\\.RecordEventBroadcaster" "record\\.NewBroadcaster becomes adapter\\.NewRecordBroadcaster"

type maker interface {
	make(opts ...record.BroadcasterOption) (record.EventBroadcaster, error) // want "record\\.BroadcasterOption becomes adapter\\.Option" "record\\.EventBroadcaster becomes adapter\\.RecordEventBroadcaster"
}

type embeds struct{ record.EventBroadcaster } // want "record\\.EventBroadcaster becomes adapter\\.RecordEventBroadcaster"

// counted takes the place of another broadcaster.
type counted struct {
	record.EventBroadcaster // want "record\\.EventBroadcaster becomes adapter\\.RecordEventBroadcaster"
	ends                    int
}

func (c *counted) Shutdown() { c.ends++; c.EventBroadcaster.Shutdown() } // want "the field EventBroadcaster becomes RecordEventBroadcaster, by its type"

func count(n *Nodes) { n.broadcaster = &counted{EventBroadcaster: n.broadcaster} } // want "the field EventBroadcaster becomes RecordEventBroadcaster, by its type"

func kept(m maker) func() {
	all := map[string]record.EventBroadcaster{"a": record.NewBroadcaster()} // want "record\\.EventBroadcaster becomes adapter\\.RecordEventBroadcaster" "record\\.NewBroadcaster becomes adapter\\.NewRecordBroadcaster"
	for _, b := range all {
		_ = embeds{EventBroadcaster: b}.EventBroadcaster // want "the field EventBroadcaster becomes RecordEventBroadcaster, by its type" "the field EventBroadcaster becomes RecordEventBroadcaster, by its type"
	}
	b, _ := m.make(record.WithContext(context.Background())) // want "record\\.WithContext becomes adapter\\.WithContext"
	recorder := b.NewRecorder(scheme.Scheme, corev1.EventSource{})
	recorder.Event(&corev1.Pod{}, "Normal", "Made", "made")                                             // want "Event becomes Eventf with action \"Made\""
	record.NewEventRecorderAdapter(recorder).Eventf(nil, nil, "Normal", "Bridged", "Bridge", "no more") // want "this recorder has the new shape, and needs no NewEventRecorderAdapter"
	newBroadcaster := record.NewBroadcaster                                                             // want "record\\.NewBroadcaster becomes adapter\\.NewRecordBroadcaster"
	return newBroadcaster().Shutdown
}

func lost(ctx context.Context) {
	record.NewBroadcasterForTests(0 * time.Second)                                     // want "nothing takes 0 \\* time\\.Second any more, and it goes" "the new broadcaster has no sleep duration" "record\\.NewBroadcasterForTests becomes adapter\\.NewRecordBroadcaster"
	record.NewBroadcasterWithCorrelatorOptions(record.CorrelatorOptions{BurstSize: 1}) // want "nothing takes record\\.CorrelatorOptions\\{BurstSize: 1\\} any more, and it goes" "the new broadcaster has no correlator options" "record\\.NewBroadcasterWithCorrelatorOptions becomes adapter\\.NewRecordBroadcaster"
	record.NewBroadcaster(                                                             // want "nothing takes record\\.WithSleepDuration\\(time\\.Second\\), record\\.WithCorrelatorOptions\\(record\\.CorrelatorOptions\\{LRUCacheSize: size\\(\\)\\}\\) any more, and it goes" "the new broadcaster has no sleep duration, no correlator options" "record\\.NewBroadcaster becomes adapter\\.NewRecordBroadcaster"
		record.WithSleepDuration(time.Second),
		record.WithContext(ctx), // want "record\\.WithContext becomes adapter\\.WithContext"
		record.WithCorrelatorOptions(record.CorrelatorOptions{LRUCacheSize: size()}),
	)
	record.NewBroadcaster(record.WithContext(ctx), record.WithSleepDuration(1), record.WithSleepDuration(2)) // want "nothing takes record\\.WithSleepDuration\\(1\\), record\\.WithSleepDuration\\(2\\) any more, and it goes" "the new broadcaster has no sleep duration" "record\\.NewBroadcaster becomes adapter\\.NewRecordBroadcaster" "record\\.WithContext becomes adapter\\.WithContext"
	fmt.Println(record.WithSleepDuration(3), record.CorrelatorOptions{})                                     // want "record\\.WithSleepDuration stays with the old API: the new broadcaster has no such option" "record\\.CorrelatorOptions stays with the old API: the events API counts series and has no correlator, delete it with what it is for"
}

func size() int { return 1 }
