// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package events defines every name of k8s.io/client-go/tools/events, and records with this SDK. A
// component that uses tools/events migrates by changing one import line. Replace the first line
// with the second:
//
//   - "k8s.io/client-go/tools/events"
//   - "github.com/eventseries/eventseries/clientgo/events"
//
// A component that needs options, Stats or Drain creates an adapter itself, and passes the result
// of [FromAdapter] to code that takes client-go's interface.
//
// A component that uses tools/record can migrate its calls with eventsmigrate. To keep its calls,
// it imports clientgo/record instead.
package events

import (
	"context"

	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	clientevents "k8s.io/client-go/tools/events"

	"github.com/eventseries/eventseries/adapter"
	series "github.com/eventseries/eventseries/events"
)

// These types, except AnnotatedEventRecorder, are aliases of the types in client-go, which
// documents them. So a value can be passed between code that imports this package and code that
// imports client-go's package.
type (
	// EventBroadcaster makes recorders and writes their Events. [FromBroadcaster] converts a
	// broadcaster of the SDK to one.
	EventBroadcaster = clientevents.EventBroadcaster
	// EventBroadcasterAdapter is an EventBroadcaster that chooses the API. [FromAdapter] converts
	// an adapter of the SDK to one.
	EventBroadcasterAdapter = clientevents.EventBroadcasterAdapter
	// EventRecorder records Events.
	EventRecorder = clientevents.EventRecorder
	// EventRecorderLogger is an EventRecorder that can be given a logger.
	EventRecorderLogger = clientevents.EventRecorderLogger
	// AnnotatedEventRecorder records Events with annotations. It has the same method as the
	// interface of client-go 0.37. Earlier versions of client-go do not define that interface.
	AnnotatedEventRecorder = series.AnnotatedEventRecorder
	// EventSink stores Events.
	EventSink = clientevents.EventSink
	// EventSinkImpl stores Events through events.k8s.io/v1.
	EventSinkImpl = clientevents.EventSinkImpl
	// FakeRecorder sends the Events that a test records to a channel, as text. It blocks when its
	// channel is full. The recorder of package eventstest never blocks in this way.
	FakeRecorder = clientevents.FakeRecorder
)

// NewBroadcaster returns a broadcaster that writes to sink. It groups occurrences into series, like
// the Broadcaster in package events of the SDK. The sink determines the API.
func NewBroadcaster(sink EventSink) EventBroadcaster {
	return FromBroadcaster(series.NewBroadcaster(sink))
}

// NewFakeRecorder returns client-go's fake, with a channel for bufferSize Events.
func NewFakeRecorder(bufferSize int) *FakeRecorder { return clientevents.NewFakeRecorder(bufferSize) }

// GetFieldSelector returns the field selector for the Events about an object, as client-go's
// function does.
func GetFieldSelector(
	eventsGroupVersion schema.GroupVersion, regardingGroupVersionKind schema.GroupVersionKind,
	regardingName string, regardingUID types.UID,
) (fields.Selector, error) {
	return clientevents.GetFieldSelector(eventsGroupVersion, regardingGroupVersionKind, regardingName, regardingUID)
}

// NewEventBroadcasterAdapter returns an adapter that writes through client. It logs to the default
// logger. It ends when Shutdown is called. See [adapter.New].
func NewEventBroadcasterAdapter(client kubernetes.Interface) EventBroadcasterAdapter {
	return FromAdapter(adapter.New(context.Background(), client))
}

// NewEventBroadcasterAdapterWithContext returns an adapter that writes through client. It logs to
// the logger of ctx. When ctx ends after StartRecordingToSink, the adapter writes pending
// occurrences at once, and shuts down after the drain timeout unless Shutdown is called before. See
// [adapter.New].
func NewEventBroadcasterAdapterWithContext(
	ctx context.Context, client kubernetes.Interface,
) EventBroadcasterAdapter {
	return FromAdapter(adapter.New(ctx, client))
}
