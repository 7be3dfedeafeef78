// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"testing"

	clientevents "k8s.io/client-go/tools/events"

	"github.com/eventseries/eventseries/events"
)

// The names are aliases of client-go's types, so that migrated code and other code can exchange
// values. test/compat/dropin tests whole components.
var (
	_ clientevents.EventRecorder       = (events.EventRecorder)(nil)
	_ clientevents.EventRecorderLogger = (events.EventRecorderLogger)(nil)
	_ events.Sink                      = (clientevents.EventSink)(nil)
)

// An EventSinkImpl without a client cannot write, so Start returns an error. Otherwise a write
// would panic.
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
