// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package record is a stub for the analyzers' tests.
package record

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/klog/v2"
)

type EventRecorder interface {
	Event(object runtime.Object, eventtype, reason, message string)
	Eventf(object runtime.Object, eventtype, reason, messageFmt string, args ...interface{})
	AnnotatedEventf(object runtime.Object, annotations map[string]string, eventtype, reason, messageFmt string, args ...interface{})
}

type EventRecorderLogger interface {
	EventRecorder
	WithLogger(logger klog.Logger) EventRecorderLogger
}

type EventSink interface {
	Create(event *corev1.Event) (*corev1.Event, error)
	Update(event *corev1.Event) (*corev1.Event, error)
	Patch(oldEvent *corev1.Event, data []byte) (*corev1.Event, error)
}

type EventBroadcaster interface {
	StartEventWatcher(eventHandler func(*corev1.Event)) watch.Interface
	StartRecordingToSink(sink EventSink) watch.Interface
	StartLogging(logf func(format string, args ...interface{})) watch.Interface
	StartStructuredLogging(verbosity klog.Level) watch.Interface
	NewRecorder(scheme *runtime.Scheme, source corev1.EventSource) EventRecorderLogger
	Shutdown()
}

type CorrelatorOptions struct{ LRUCacheSize, BurstSize int }

type BroadcasterOption func()

func WithContext(ctx context.Context) BroadcasterOption                 { return nil }
func WithCorrelatorOptions(options CorrelatorOptions) BroadcasterOption { return nil }
func WithSleepDuration(sleepDuration time.Duration) BroadcasterOption   { return nil }

func NewBroadcaster(opts ...BroadcasterOption) EventBroadcaster           { return nil }
func NewBroadcasterForTests(sleepDuration time.Duration) EventBroadcaster { return nil }
func NewBroadcasterWithCorrelatorOptions(options CorrelatorOptions) EventBroadcaster {
	return nil
}

type EventRecorderAdapter struct{}

func NewEventRecorderAdapter(recorder EventRecorderLogger) *EventRecorderAdapter { return nil }

func (a *EventRecorderAdapter) Eventf(regarding, related runtime.Object, eventtype, reason, action, note string, args ...interface{}) {
}

type FakeRecorder struct {
	Events        chan string
	IncludeObject bool
}

func NewFakeRecorder(bufferSize int) *FakeRecorder { return nil }

func (f *FakeRecorder) Event(object runtime.Object, eventtype, reason, message string) {}

func (f *FakeRecorder) Eventf(object runtime.Object, eventtype, reason, messageFmt string, args ...interface{}) {
}

func (f *FakeRecorder) AnnotatedEventf(object runtime.Object, annotations map[string]string, eventtype, reason, messageFmt string, args ...interface{}) {
}

func (f *FakeRecorder) WithLogger(logger klog.Logger) EventRecorderLogger { return f }
