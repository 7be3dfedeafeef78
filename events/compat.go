// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"k8s.io/apimachinery/pkg/runtime"
	clientevents "k8s.io/client-go/tools/events"
)

// The recorders of k8s.io/client-go/tools/events. They are client-go's own types: values pass
// freely between the two packages. All its names are in package clientgo/events.
type (
	// EventRecorder is client-go's; [*Recorder] implements it.
	EventRecorder = clientevents.EventRecorder
	// EventRecorderLogger is client-go's; [*Recorder] implements it.
	EventRecorderLogger = clientevents.EventRecorderLogger
)

// AnnotatedEventRecorder is what [*Recorder] offers beyond [EventRecorder]. It
// is identical to the interface of client-go 0.37, which older ones lack.
type AnnotatedEventRecorder interface {
	// AnnotatedEventf is Eventf with annotations for the Event, which are copied.
	AnnotatedEventf(
		regarding, related runtime.Object, annotations map[string]string,
		eventtype, reason, action, note string, args ...any,
	)
}
