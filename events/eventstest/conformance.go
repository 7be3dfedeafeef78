// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"testing"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/conformance"
)

// TestSink checks that a Sink keeps the contract of events.Sink. Each rule is a subtest with a new sink from newSink. A
// failure names the rule, and says what a broadcaster does with such a sink.
//
//	func TestLines(t *testing.T) {
//		eventstest.TestSink(t, func(*testing.T) events.Sink { return &lines{} })
//	}
//
// The simplest Sink accepts every write and returns nil for the event and the error. The rules are:
//
//   - Create accepts every valid event, or returns events.ErrFiltered. For a name that exists in its namespace it
//     returns AlreadyExists or succeeds: the answer to the first attempt may have been lost.
//   - Patch merges the patch, or stores nothing and succeeds. {} changes nothing. For a missing event it returns
//     NotFound or succeeds. After any other error the write is tried again, unless the error has a Status that forbids
//     it.
//   - The returned event is the stored one. If it has a resourceVersion, that changes with the event, and a patch for
//     another version is a Conflict.
//   - The sink does not change the event and the patch, nor use them after the call. The caller owns the returned
//     event.
//   - A call returns when its context ends, with the context's error. The context ends with the call. Calls may be
//     concurrent.
//
// The rules read the stored event with a patch of {}. A sink that returns nil is checked less. Run TestSink with the
// race detector, which finds more violations of the rules about concurrent use and retained arguments.
//
// A sink may write to a real cluster: the Events are in the namespaces default and kube-system, and their names are
// unique to the run. They are not deleted.
func TestSink(t *testing.T, newSink func(t *testing.T) events.Sink) {
	t.Helper()
	for _, rule := range conformance.Rules() {
		t.Run(rule.Name, func(t *testing.T) { rule.Check(t, newSink(t)) })
	}
}
