// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	clientevents "k8s.io/client-go/tools/events"
)

// The names that callers of k8s.io/client-go/tools/events use, so that a
// component migrates by changing one import line. They are client-go's own
// types: values pass freely between the two packages. The adapter's names are in
// package adapter.
type (
	// EventBroadcaster is client-go's; [*Broadcaster] implements it.
	EventBroadcaster = clientevents.EventBroadcaster
	// EventBroadcasterAdapter is client-go's; package adapter implements it.
	EventBroadcasterAdapter = clientevents.EventBroadcasterAdapter
	// EventRecorder is client-go's; [*Recorder] implements it.
	EventRecorder = clientevents.EventRecorder
	// EventRecorderLogger is client-go's; [*Recorder] implements it.
	EventRecorderLogger = clientevents.EventRecorderLogger
	// EventSink is client-go's. Every EventSink is a [Sink].
	EventSink = clientevents.EventSink
	// EventSinkImpl is client-go's sink. [NewBroadcaster] takes it as the client
	// that it wraps.
	EventSinkImpl = clientevents.EventSinkImpl
	// FakeRecorder is client-go's. It blocks when its channel is full; package
	// eventstest has one that does not.
	FakeRecorder = clientevents.FakeRecorder
)

// AnnotatedEventRecorder is what [*Recorder] offers beyond [EventRecorder]. It
// is identical to the interface of client-go 0.37, which older ones lack.
type AnnotatedEventRecorder interface {
	// AnnotatedEventf is Eventf with annotations for the Event, which are copied.
	AnnotatedEventf(
		regarding, related runtime.Object, annotations map[string]string,
		eventtype, reason, action, note string, args ...any,
	)
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
