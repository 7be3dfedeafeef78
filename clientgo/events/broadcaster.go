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

// FromBroadcaster returns b as client-go's EventBroadcaster, for code that takes one. b has what
// that interface lacks: options, accounts, Flush and Drain.
func FromBroadcaster(b *series.Broadcaster) EventBroadcaster { return broadcaster{b} }

// FromAdapter returns a as client-go's EventBroadcasterAdapter, for code that takes one. a has what
// that interface lacks: options, accounts, Flush and Drain.
func FromAdapter(a *adapter.Adapter) EventBroadcasterAdapter { return broadcasterAdapter{a} }

// broadcaster adds the method of client-go's interface that a broadcaster of the SDK has under another name.
type broadcaster struct{ *series.Broadcaster }

// NewRecorder returns an *events.Recorder of the SDK.
func (b broadcaster) NewRecorder(scheme *runtime.Scheme, reportingController string) EventRecorderLogger {
	return b.Recorder(scheme, reportingController)
}

// broadcasterAdapter adds the methods of client-go's interface that an adapter of the SDK has not.
type broadcasterAdapter struct{ *adapter.Adapter }

// NewRecorder returns an *events.Recorder of the SDK.
func (a broadcasterAdapter) NewRecorder(name string) EventRecorderLogger { return a.Recorder(name) }

// DeprecatedNewLegacyRecorder returns a recorder of the old API over NewRecorder, for callers such as
// leader election. It follows every switch of the adapter.
func (a broadcasterAdapter) DeprecatedNewLegacyRecorder(name string) record.EventRecorderLogger {
	return legacy.AsLegacy(a.Recorder(name))
}
