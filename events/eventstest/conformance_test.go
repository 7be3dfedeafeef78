// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest_test

import (
	"testing"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// The tests of internal/testkit/conformance check which mistakes each rule finds.
func TestSinkConforms(t *testing.T) {
	for name, set := range map[string]func(*eventstest.Sink){
		"as it is":    func(*eventstest.Sink) {},
		"that counts": (*eventstest.Sink).CountOnly,
	} {
		t.Run(name, func(t *testing.T) {
			eventstest.TestSink(t, func(*testing.T) events.Sink {
				sink := eventstest.NewSink()
				set(sink)
				return sink
			})
		})
	}
}

// The sink of the Example.
func TestLines(t *testing.T) {
	eventstest.TestSink(t, func(*testing.T) events.Sink { return &lines{} })
}
