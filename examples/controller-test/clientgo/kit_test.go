// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo_test

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	clientevents "k8s.io/client-go/tools/events"
	clientrecord "k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/legacy"
)

// kit is what a test makes recorders with: client-go, or this SDK under client-go's names.
type kit struct {
	newEvents  func(clientevents.EventSink) clientevents.EventBroadcaster
	newAdapter func(kubernetes.Interface) clientevents.EventBroadcasterAdapter
	newRecord  func() clientrecord.EventBroadcaster
	fake       func(*testing.T) clientevents.EventRecorder
}

var clientGo = kit{
	newEvents:  clientevents.NewBroadcaster,
	newAdapter: clientevents.NewEventBroadcasterAdapter,
	newRecord:  func() clientrecord.EventBroadcaster { return clientrecord.NewBroadcaster() },
	fake: func(t *testing.T) clientevents.EventRecorder {
		fake := clientevents.NewFakeRecorder(2)
		t.Cleanup(func() { <-fake.Events }) // the third finds room
		return fake
	},
}

// moment is how long the SDK's Shutdown tries to write what is pending, 5 seconds otherwise.
const moment = time.Millisecond

var sdk = kit{
	newEvents: func(sink clientevents.EventSink) clientevents.EventBroadcaster {
		return events.NewBroadcaster(sink, events.WithDrainTimeout(moment))
	},
	newAdapter: func(client kubernetes.Interface) clientevents.EventBroadcasterAdapter {
		return adapter.New(context.Background(), client,
			events.WithDrainTimeout(moment),
			events.WithDrainTimeout(moment))
	},
	newRecord: func() clientrecord.EventBroadcaster {
		return legacy.NewBroadcaster(events.WithDrainTimeout(moment))
	},
	fake: func(t *testing.T) clientevents.EventRecorder { return eventstest.NewRecorder(t) },
}

func (k kit) events(t *testing.T, s server) clientevents.EventBroadcaster {
	broadcaster := k.newEvents(&clientevents.EventSinkImpl{Interface: s.client.EventsV1()})
	t.Cleanup(broadcaster.Shutdown)
	return broadcaster
}

func (k kit) startedEvents(t *testing.T, s server) (clientevents.EventBroadcaster, context.CancelFunc) {
	broadcaster := k.events(t, s)
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), klog.Logger{}))
	t.Cleanup(cancel)
	if err := broadcaster.StartRecordingToSinkWithContext(ctx); err != nil {
		t.Fatal(err)
	}
	return broadcaster, cancel
}

func (k kit) adapter(t *testing.T, s server) clientevents.EventBroadcasterAdapter {
	broadcaster := k.newAdapter(s.client)
	t.Cleanup(broadcaster.Shutdown)
	return broadcaster
}

func (k kit) startedAdapter(t *testing.T, s server) (clientevents.EventBroadcasterAdapter, context.CancelFunc) {
	broadcaster := k.adapter(t, s)
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	broadcaster.StartRecordingToSink(ctx.Done())
	return broadcaster, stop
}

func (k kit) record(t *testing.T) clientrecord.EventBroadcaster {
	broadcaster := k.newRecord()
	t.Cleanup(broadcaster.Shutdown)
	return broadcaster
}

func (k kit) startedRecord(t *testing.T, s server) (clientrecord.EventBroadcaster, watch.Interface) {
	broadcaster := k.record(t)
	return broadcaster, broadcaster.StartRecordingToSink(
		&typedcorev1.EventSinkImpl{Interface: s.client.CoreV1().Events("")})
}

func newShape(broadcaster clientevents.EventBroadcaster) clientevents.EventRecorder {
	return broadcaster.NewRecorder(scheme.Scheme, "example.com/replicas")
}

func oldShape(broadcaster clientrecord.EventBroadcaster) clientevents.EventRecorder {
	return clientrecord.NewEventRecorderAdapter(
		broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "replicas"}))
}

// record records n Events.
func record(recorder clientevents.EventRecorder, n int) {
	for i := range n {
		recorder.Eventf(deployment("web", ""), nil, "Normal", "Scaled", "Scale", "to %d replicas", i)
	}
}
