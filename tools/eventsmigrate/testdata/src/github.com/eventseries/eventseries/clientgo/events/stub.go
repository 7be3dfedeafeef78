// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package events is a stub for the analyzers' tests.
package events

import (
	"context"

	"github.com/eventseries/eventseries/adapter"
	series "github.com/eventseries/eventseries/events"
	"k8s.io/client-go/kubernetes"
	clientevents "k8s.io/client-go/tools/events"
)

type (
	EventBroadcaster        = clientevents.EventBroadcaster
	EventBroadcasterAdapter = clientevents.EventBroadcasterAdapter
	EventRecorder           = clientevents.EventRecorder
	EventRecorderLogger     = clientevents.EventRecorderLogger
	EventSink               = clientevents.EventSink
	EventSinkImpl           = clientevents.EventSinkImpl
	FakeRecorder            = clientevents.FakeRecorder
)

func NewBroadcaster(sink EventSink) EventBroadcaster { return nil }

func NewFakeRecorder(bufferSize int) *FakeRecorder { return nil }

func NewEventBroadcasterAdapter(client kubernetes.Interface) EventBroadcasterAdapter { return nil }

func NewEventBroadcasterAdapterWithContext(ctx context.Context, client kubernetes.Interface) EventBroadcasterAdapter {
	return nil
}

func FromBroadcaster(b *series.Broadcaster) EventBroadcaster { return nil }

func FromAdapter(a *adapter.Adapter) EventBroadcasterAdapter { return nil }
