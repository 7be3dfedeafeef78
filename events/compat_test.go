// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"testing"

	clientevents "k8s.io/client-go/tools/events"

	"github.com/eventseries/eventseries/events"
)

// The names are client-go's own types, so that values pass between code that is migrated and code that is not.
// test/compat/dropin has whole components.
var (
	_ clientevents.EventRecorder       = (events.EventRecorder)(nil)
	_ clientevents.EventRecorderLogger = (events.EventRecorderLogger)(nil)
	_ events.Sink                      = (clientevents.EventSink)(nil)
)

// An EventSinkImpl without a client has no sink to write to: Start says so instead of a worker that crashes.
func TestEventSinkImplWithoutAClient(t *testing.T) {
	for _, sink := range []*clientevents.EventSinkImpl{nil, {}} {
		b := events.NewBroadcaster(sink, quiet)
		if err := b.Start(t.Context()); err == nil {
			t.Error("Start: no error")
		}
		record(newRecorder(b), 1, "web")
		b.Shutdown()
	}
}
