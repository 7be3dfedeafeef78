// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package legacy is a stub for the analyzers' tests.
package legacy

import (
	"k8s.io/apimachinery/pkg/runtime"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
)

func AsLegacy(recorder clientevents.EventRecorder) record.EventRecorderLogger { return nil }

func FromLegacy(recorder record.EventRecorder) *EventRecorderAdapter { return nil }

type EventRecorderAdapter struct{}

func (a *EventRecorderAdapter) Eventf(regarding, related runtime.Object, eventtype, reason, action, note string, args ...interface{}) {
}
