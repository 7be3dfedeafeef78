// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package adapter is a stub for the analyzers' tests.
package adapter

import (
	"context"

	"github.com/eventseries/eventseries/events"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
)

type Option func()

func WithScheme(s *runtime.Scheme) Option            { return nil }
func WithEventsOptions(opts ...events.Option) Option { return nil }

type Adapter struct{}

func New(ctx context.Context, client kubernetes.Interface, opts ...Option) *Adapter { return nil }

func (a *Adapter) Start(ctx context.Context) error                          { return nil }
func (a *Adapter) StartRecordingToSink(stopCh <-chan struct{})              {}
func (a *Adapter) StartStructuredLogging(verbosity klog.Level) func()       { return nil }
func (a *Adapter) NewRecorder(name string) clientevents.EventRecorderLogger { return nil }
func (a *Adapter) DeprecatedNewLegacyRecorder(name string) record.EventRecorderLogger {
	return nil
}
func (a *Adapter) Drain(ctx context.Context) error { return nil }
func (a *Adapter) Shutdown()                       {}

type Recorder struct{ events.Recorder }

type Manager[R, C any] interface {
	Add(R) error
	GetCache() C
	GetConfig() *rest.Config
	GetScheme() *runtime.Scheme
}

func RecorderFor[R, C any](mgr Manager[R, C], name string) clientevents.EventRecorderLogger {
	return nil
}
