// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package recordevents is a stub for the analyzers' tests.
package recordevents

import (
	"context"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
)

type BroadcasterOption = adapter.Option

func WithContext(ctx context.Context) BroadcasterOption { return nil }

type Broadcaster struct{}

func NewBroadcaster(opts ...BroadcasterOption) *Broadcaster { return nil }

type EventBroadcaster interface {
	StartEventWatcher(handle func(*corev1.Event)) watch.Interface
	StartRecordingToSink(sink record.EventSink) watch.Interface
	StartLogging(logf func(format string, args ...any)) watch.Interface
	StartStructuredLogging(verbosity klog.Level) watch.Interface
	NewRecorder(scheme *runtime.Scheme, source corev1.EventSource) events.EventRecorderLogger
	Shutdown()
}

func (b *Broadcaster) StartEventWatcher(eventHandler func(*corev1.Event)) watch.Interface {
	return nil
}
func (b *Broadcaster) StartRecordingToSink(sink record.EventSink) watch.Interface { return nil }
func (b *Broadcaster) StartLogging(logf func(format string, args ...any)) watch.Interface {
	return nil
}
func (b *Broadcaster) StartStructuredLogging(verbosity klog.Level) watch.Interface { return nil }
func (b *Broadcaster) NewRecorder(scheme *runtime.Scheme, source corev1.EventSource) events.EventRecorderLogger {
	return nil
}
func (b *Broadcaster) Shutdown() {}
