// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"

	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	clientevents "k8s.io/client-go/tools/events"

	"github.com/eventseries/eventseries/events"
)

// The names of k8s.io/client-go/tools/events, so that a component migrates by changing
// one import line.
type (
	// EventBroadcaster is client-go's; [*events.Broadcaster] implements it. For that of
	// tools/record there is [RecordEventBroadcaster].
	EventBroadcaster = clientevents.EventBroadcaster
	// EventBroadcasterAdapter is client-go's; [*Adapter] implements it.
	EventBroadcasterAdapter = clientevents.EventBroadcasterAdapter
	// EventRecorder is client-go's.
	EventRecorder = clientevents.EventRecorder
	// EventRecorderLogger is client-go's.
	EventRecorderLogger = clientevents.EventRecorderLogger
	// AnnotatedEventRecorder is identical to the interface of client-go 0.37.
	AnnotatedEventRecorder = events.AnnotatedEventRecorder
	// EventSink is client-go's.
	EventSink = clientevents.EventSink
	// EventSinkImpl is client-go's.
	EventSinkImpl = clientevents.EventSinkImpl
	// FakeRecorder is client-go's. It blocks when its channel is full; the recorder of package
	// eventstest does not. For tests of the old API's fake there is [events.FakeRecorder].
	FakeRecorder = clientevents.FakeRecorder
)

// NewBroadcaster is [events.NewBroadcaster] under client-go's name: sink has chosen the
// API. With client-go's tools/record it is [NewRecordBroadcaster].
func NewBroadcaster(sink EventSink) EventBroadcaster { return events.NewBroadcaster(sink) }

// NewFakeRecorder is client-go's.
func NewFakeRecorder(bufferSize int) *FakeRecorder { return clientevents.NewFakeRecorder(bufferSize) }

// GetFieldSelector is client-go's: the selector for the Events about an object.
func GetFieldSelector(
	eventsGroupVersion schema.GroupVersion, regardingGroupVersionKind schema.GroupVersionKind,
	regardingName string, regardingUID types.UID,
) (fields.Selector, error) {
	return clientevents.GetFieldSelector(eventsGroupVersion, regardingGroupVersionKind, regardingName, regardingUID)
}

// NewEventBroadcasterAdapter is [New] under client-go's name.
func NewEventBroadcasterAdapter(client kubernetes.Interface) EventBroadcasterAdapter {
	return New(context.Background(), client)
}

// NewEventBroadcasterAdapterWithContext is [New] under client-go's name.
func NewEventBroadcasterAdapterWithContext(
	ctx context.Context, client kubernetes.Interface,
) EventBroadcasterAdapter {
	return New(ctx, client)
}
