// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package chaos

import (
	"testing"
	"time"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
	"github.com/eventseries/eventseries/test/e2e/internal/wire"
)

// events.k8s.io/v1 goes away and comes back, as when a cluster is rolled back.
// Caught: support that is not asked again once it was told no.
func TestAPISwitchedOff(t *testing.T) {
	const reprobe = 17 * time.Second // five and a half minutes by the fast clock
	s := open(t, plot{
		title:   "events.k8s.io/v1 switched off and on",
		adapter: []adapter.Option{events.WithClock(harness.Fast)},
		drops:   []events.DropReason{events.SpamFilter, events.QueueFull},
	})
	s.Run(3 * time.Second)
	s.must(s.plane.KillServer())
	s.must(s.plane.StartServer("--runtime-config=events.k8s.io/v1=false"))
	s.recovers() // the first write tells
	s.writesThrough(wire.CoreV1, adapter.Legacy)
	s.must(s.plane.KillServer())
	s.must(s.plane.StartServer("--runtime-config=events.k8s.io/v1=true"))
	s.recovers()
	s.Run(reprobe)
	s.writesThrough(wire.EventsV1, adapter.EventsV1)
	s.settle()
}

// writesThrough checks that what is recorded from now on takes one way only.
func (s *scene) writesThrough(api string, status adapter.API) {
	s.t.Helper()
	if got := s.adapter.Snapshot(0).API; got != status {
		s.t.Errorf("Status says %s, want %s", got, status)
	}
	s.recovers() // what was on another way has arrived
	began := time.Now()
	s.Run(5 * time.Second)
	writes := s.Wire.Seen(func(e wire.Exchange) bool { return e.IsCreate() || e.IsPatch() })
	if last := writes[len(writes)-1]; !last.Through(api) {
		s.t.Errorf("the last write was to %s, want it through %s", last.Path, api)
	}
	for _, e := range writes {
		if e.At.After(began) && !e.Through(api) {
			s.t.Fatalf("a write to %s, want all through %s by now", e.Path, api)
		}
	}
}
