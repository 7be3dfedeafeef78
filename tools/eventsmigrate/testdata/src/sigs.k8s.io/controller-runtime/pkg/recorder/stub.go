// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package recorder is a stub for the analyzers' tests.
package recorder

import (
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
)

type EventRecorder interface {
	events.EventRecorder
	events.AnnotatedEventRecorder
}

type Provider interface {
	GetEventRecorderFor(name string) record.EventRecorder
	GetEventRecorder(name string) EventRecorder
}
