// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package drain

import (
	"context"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"k8s.io/client-go/kubernetes"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
)

func never(ctx context.Context, client kubernetes.Interface) {
	a := adapter.New(ctx, client)
	if err := a.Start(ctx); err != nil {
		return
	}
	use(a.NewRecorder("example.com/c"))

	b := events.NewBroadcaster(nil)
	go func() { b.StartRecordingToSink(ctx.Done()) }()

	var c = clientevents.NewBroadcaster(nil)
	if c != nil {
		c.StartRecordingToSink(ctx.Done())
	}

	use(clientevents.NewEventBroadcasterAdapterWithContext(ctx, client).NewRecorder("c"))

	var d record.EventBroadcaster
	d = record.NewBroadcaster()
	d.StartRecordingToSink(nil)

	_ = record.NewBroadcasterWithCorrelatorOptions(record.CorrelatorOptions{})
	record.NewBroadcaster()
}

// A broadcaster that is made without a client is one of record's with new recorders.
func twoPhases(ctx context.Context, sink record.EventSink) {
	a := adapter.NewRecordBroadcaster()
	a.StartRecordingToSink(sink)

	b := adapter.NewRecordBroadcaster(adapter.WithContext(ctx)) // it ends with ctx
	b.StartRecordingToSink(sink)

	c := adapter.NewRecordBroadcaster()
	defer c.Shutdown()
	c.StartRecordingToSink(sink)
}

func use(clientevents.EventRecorder) {}

func drained(ctx context.Context, client kubernetes.Interface, cleanup func(func())) error {
	a := adapter.New(ctx, client)
	defer a.Shutdown()
	b := events.NewBroadcaster(nil)
	cleanup(b.Shutdown)
	c := record.NewBroadcaster()
	go func() {
		<-ctx.Done()
		c.Shutdown()
	}()
	d := record.NewBroadcaster(record.WithContext(ctx)) // it ends with ctx
	d.StartRecordingToSink(nil)
	e := adapter.New(ctx, client)
	return e.Drain(ctx)
}

type component struct{ broadcaster record.EventBroadcaster }

var global = record.NewBroadcaster()

// What is returned, stored or passed on is for others to drain.
func escapes(ctx context.Context, client kubernetes.Interface, register func(any)) (*adapter.Adapter, func()) {
	a := adapter.New(ctx, client)
	b := record.NewBroadcaster()
	_ = &component{broadcaster: b}
	c := record.NewBroadcaster()
	register(c)
	register(record.NewBroadcaster())
	d := events.NewBroadcaster(nil)
	e := record.NewBroadcaster()
	other := component{}
	other.broadcaster = e
	other.broadcaster = record.NewBroadcaster()
	global = record.NewBroadcaster()
	return a, func() { register(d) }
}

func result() (broadcaster record.EventBroadcaster) {
	broadcaster = record.NewBroadcaster()
	return
}
