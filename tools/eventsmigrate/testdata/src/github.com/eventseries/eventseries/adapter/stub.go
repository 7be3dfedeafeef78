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
)

type Option = events.Option

type Adapter struct{}

func New(ctx context.Context, client kubernetes.Interface, opts ...Option) *Adapter { return nil }

func (a *Adapter) Start(ctx context.Context) error       { return nil }
func (a *Adapter) Recorder(name string) *events.Recorder { return nil }
func (a *Adapter) Drain(ctx context.Context) error       { return nil }
func (a *Adapter) Shutdown()                             {}

type Manager[R, C any] interface {
	Add(R) error
	GetCache() C
	GetConfig() *rest.Config
	GetScheme() *runtime.Scheme
}

func RecorderFor[R, C any](mgr Manager[R, C], name string) *events.Recorder {
	return nil
}
