// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"k8s.io/apimachinery/pkg/runtime"
	clientevents "k8s.io/client-go/tools/events"
)

// The recorder interfaces of k8s.io/client-go/tools/events. They are aliases of client-go's own
// types, so values can be passed between the two packages. Package clientgo/events provides all
// other names of tools/events.
type (
	// EventRecorder is client-go's interface, which [*Recorder] implements.
	EventRecorder = clientevents.EventRecorder
	// EventRecorderLogger is client-go's interface, which [*Recorder] implements.
	EventRecorderLogger = clientevents.EventRecorderLogger
)

// AnnotatedEventRecorder declares AnnotatedEventf, which [*Recorder] has and [EventRecorder] lacks.
// It is identical to the interface in client-go 0.37, and is declared here because older versions
// do not have it.
type AnnotatedEventRecorder interface {
	// AnnotatedEventf is like Eventf, and also adds a copy of annotations to the Event.
	AnnotatedEventf(
		regarding, related runtime.Object, annotations map[string]string,
		eventtype, reason, action, note string, args ...any,
	)
}
