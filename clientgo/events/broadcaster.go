// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/adapter"
	series "github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/legacy"
)

// FromBroadcaster wraps b in client-go's EventBroadcaster, for code that takes one. Keep b for the
// features that the interface does not have, such as Stats, Flush and Drain.
func FromBroadcaster(b *series.Broadcaster) EventBroadcaster { return broadcaster{b} }

// FromAdapter wraps a in client-go's EventBroadcasterAdapter, for code that takes one. Keep a for
// the features that the interface does not have, such as Stats, Flush and Drain.
func FromAdapter(a *adapter.Adapter) EventBroadcasterAdapter { return broadcasterAdapter{a} }

// broadcaster adds the method NewRecorder, which client-go's interface requires. In package events
// this method is called Recorder.
type broadcaster struct{ *series.Broadcaster }

// NewRecorder returns a *Recorder of the SDK's package events.
func (b broadcaster) NewRecorder(scheme *runtime.Scheme, reportingController string) EventRecorderLogger {
	return b.Recorder(scheme, reportingController)
}

// broadcasterAdapter adds the methods of client-go's interface that an adapter of the SDK does not
// have.
type broadcasterAdapter struct{ *adapter.Adapter }

// NewRecorder returns a *Recorder of the SDK's package events.
func (a broadcasterAdapter) NewRecorder(name string) EventRecorderLogger { return a.Recorder(name) }

// DeprecatedNewLegacyRecorder returns a recorder with the methods of tools/record, for callers such
// as leader election. It passes every call on to a recorder that NewRecorder has returned, so each
// of its Events goes through the API that the adapter uses when the Event is written.
func (a broadcasterAdapter) DeprecatedNewLegacyRecorder(name string) record.EventRecorderLogger {
	return legacy.AsLegacy(a.Recorder(name))
}
