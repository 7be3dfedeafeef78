// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package events is a stub for the analyzers' tests.
package events

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
)

type EventRecorder interface {
	Eventf(regarding runtime.Object, related runtime.Object, eventtype, reason, action, note string, args ...interface{})
}

type AnnotatedEventRecorder interface {
	AnnotatedEventf(regarding runtime.Object, related runtime.Object, annotations map[string]string, eventtype, reason, action, note string, args ...interface{})
}

type EventRecorderLogger interface {
	EventRecorder
	WithLogger(logger klog.Logger) EventRecorderLogger
}

type EventSink interface{ sink() }

type EventSinkImpl struct{}

func (e *EventSinkImpl) sink() {}

type EventBroadcaster interface {
	StartRecordingToSink(stopCh <-chan struct{})
	StartRecordingToSinkWithContext(ctx context.Context) error
	NewRecorder(scheme *runtime.Scheme, reportingController string) EventRecorderLogger
	Shutdown()
}

type EventBroadcasterAdapter interface {
	StartRecordingToSink(stopCh <-chan struct{})
	NewRecorder(name string) EventRecorderLogger
	DeprecatedNewLegacyRecorder(name string) record.EventRecorderLogger
	Shutdown()
}

func NewBroadcaster(sink EventSink) EventBroadcaster { return nil }

func NewEventBroadcasterAdapter(client kubernetes.Interface) EventBroadcasterAdapter { return nil }

func NewEventBroadcasterAdapterWithContext(ctx context.Context, client kubernetes.Interface) EventBroadcasterAdapter {
	return nil
}

type FakeRecorder struct{ Events chan string }

func NewFakeRecorder(bufferSize int) *FakeRecorder { return nil }

func (f *FakeRecorder) Eventf(regarding runtime.Object, related runtime.Object, eventtype, reason, action, note string, args ...interface{}) {
}

func (f *FakeRecorder) WithLogger(logger klog.Logger) EventRecorderLogger { return f }
