// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package adapter is a stub for the analyzers' tests.
package adapter

import (
	"context"

	"github.com/eventseries/eventseries/events"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
)

type Option = events.Option

type Adapter struct{}

func New(ctx context.Context, client kubernetes.Interface, opts ...Option) *Adapter { return nil }

func (a *Adapter) Start(ctx context.Context) error                          { return nil }
func (a *Adapter) NewRecorder(name string) clientevents.EventRecorderLogger { return nil }
func (a *Adapter) Drain(ctx context.Context) error                          { return nil }
func (a *Adapter) Shutdown()                                                {}

func WithContext(ctx context.Context) Option { return nil }

type RecordBroadcaster struct{}

func NewRecordBroadcaster(opts ...Option) *RecordBroadcaster { return nil }

type RecordEventBroadcaster interface {
	StartEventWatcher(handle func(*corev1.Event)) watch.Interface
	StartRecordingToSink(sink record.EventSink) watch.Interface
	StartLogging(logf func(format string, args ...any)) watch.Interface
	StartStructuredLogging(verbosity klog.Level) watch.Interface
	NewRecorder(scheme *runtime.Scheme, source corev1.EventSource) events.EventRecorderLogger
	Shutdown()
}

func (b *RecordBroadcaster) StartEventWatcher(eventHandler func(*corev1.Event)) watch.Interface {
	return nil
}
func (b *RecordBroadcaster) StartRecordingToSink(sink record.EventSink) watch.Interface { return nil }
func (b *RecordBroadcaster) StartLogging(logf func(format string, args ...any)) watch.Interface {
	return nil
}
func (b *RecordBroadcaster) StartStructuredLogging(verbosity klog.Level) watch.Interface { return nil }
func (b *RecordBroadcaster) NewRecorder(scheme *runtime.Scheme, source corev1.EventSource) events.EventRecorderLogger {
	return nil
}
func (b *RecordBroadcaster) Shutdown() {}

type Manager[R, C any] interface {
	Add(R) error
	GetCache() C
	GetConfig() *rest.Config
	GetScheme() *runtime.Scheme
}

func RecorderFor[R, C any](mgr Manager[R, C], name string) *events.Recorder {
	return nil
}
