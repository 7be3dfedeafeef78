// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package thirdparty is a library that stays with the old API.
package thirdparty

import (
	"context"

	"k8s.io/client-go/tools/record"
)

type Options struct {
	Recorder record.EventRecorder
	All      []record.EventRecorder
}

type Provider interface {
	RecorderFor(name string) record.EventRecorder
	Set(r record.EventRecorder)
}

func New(name string) record.EventRecorder                        { return nil }
func NewOrError(name string) (record.EventRecorder, error)        { return nil, nil }
func Run(ctx context.Context, r record.EventRecorder)             {}
func RunAll(all ...record.EventRecorder)                          {}
func Configure(o Options)                                         {}
func OnStart(f func(r record.EventRecorder) record.EventRecorder) {}
func Ptr[T any](v T) *T                                           { return &v }

func Broadcast(b record.EventBroadcaster)  {}
func Broadcaster() record.EventBroadcaster { return nil }

func Fake(f *record.FakeRecorder) {}
