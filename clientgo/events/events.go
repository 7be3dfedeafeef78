// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package events has every name of k8s.io/client-go/tools/events, with this SDK behind it. A component
// that uses tools/events migrates by changing one import line:
//
//   - "k8s.io/client-go/tools/events"
//   - "github.com/eventseries/eventseries/clientgo/events"
//
// A component that wants options, accounts or Drain makes an adapter itself, keeps it, and hands
// [FromAdapter] of it to code that takes client-go's interface. A component that still uses tools/record
// migrates with eventsmigrate, or stays with its recorders and imports clientgo/record.
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

// The types of client-go. Values pass freely between code that imports this package and code that
// imports client-go's.
type (
	// EventBroadcaster is client-go's; see [FromBroadcaster].
	EventBroadcaster = clientevents.EventBroadcaster
	// EventBroadcasterAdapter is client-go's; see [FromAdapter].
	EventBroadcasterAdapter = clientevents.EventBroadcasterAdapter
	// EventRecorder is client-go's.
	EventRecorder = clientevents.EventRecorder
	// EventRecorderLogger is client-go's.
	EventRecorderLogger = clientevents.EventRecorderLogger
	// AnnotatedEventRecorder is identical to the interface of client-go 0.37.
	AnnotatedEventRecorder = series.AnnotatedEventRecorder
	// EventSink is client-go's.
	EventSink = clientevents.EventSink
	// EventSinkImpl is client-go's.
	EventSinkImpl = clientevents.EventSinkImpl
	// FakeRecorder is client-go's. It blocks when its channel is full; the recorder of package
	// eventstest does not.
	FakeRecorder = clientevents.FakeRecorder
)

// NewBroadcaster returns a broadcaster that writes series to sink, which has chosen the API. It
// records as a broadcaster of package events does.
func NewBroadcaster(sink EventSink) EventBroadcaster {
	return FromBroadcaster(series.NewBroadcaster(sink))
}

// NewFakeRecorder is client-go's.
func NewFakeRecorder(bufferSize int) *FakeRecorder { return clientevents.NewFakeRecorder(bufferSize) }

// GetFieldSelector is client-go's: the selector for the Events about an object.
func GetFieldSelector(
	eventsGroupVersion schema.GroupVersion, regardingGroupVersionKind schema.GroupVersionKind,
	regardingName string, regardingUID types.UID,
) (fields.Selector, error) {
	return clientevents.GetFieldSelector(eventsGroupVersion, regardingGroupVersionKind, regardingName, regardingUID)
}

// NewEventBroadcasterAdapter returns an adapter of package adapter, with the context that never ends.
func NewEventBroadcasterAdapter(client kubernetes.Interface) EventBroadcasterAdapter {
	return FromAdapter(adapter.New(context.Background(), client))
}

// NewEventBroadcasterAdapterWithContext returns an adapter of package adapter. The logger is that of
// ctx. The end of ctx is like the end of the context of Start.
func NewEventBroadcasterAdapterWithContext(
	ctx context.Context, client kubernetes.Interface,
) EventBroadcasterAdapter {
	return FromAdapter(adapter.New(ctx, client))
}
