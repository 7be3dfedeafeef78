// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"k8s.io/apimachinery/pkg/runtime"
	clientevents "k8s.io/client-go/tools/events"
)

// The recorder interfaces of k8s.io/client-go/tools/events. They are aliases of client-go's own
// types, so a value of one package can be used in the other. Package clientgo/events has all other
// names of tools/events.
type (
	// EventRecorder is client-go's interface, which [*Recorder] implements.
	EventRecorder = clientevents.EventRecorder
	// EventRecorderLogger is client-go's interface, which [*Recorder] implements.
	EventRecorderLogger = clientevents.EventRecorderLogger
)

// AnnotatedEventRecorder has the method of [*Recorder] that [EventRecorder] lacks. It is identical
// to the interface in client-go 0.37 and declared here because older versions do not have it.
type AnnotatedEventRecorder interface {
	// AnnotatedEventf is Eventf with annotations for the Event, which are copied.
	AnnotatedEventf(
		regarding, related runtime.Object, annotations map[string]string,
		eventtype, reason, action, note string, args ...any,
	)
}
