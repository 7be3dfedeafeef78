// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"testing"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/conformance"
)

// TestSink checks that a Sink meets the requirements of events.Sink. Each rule is a subtest, for
// which newSink is called to create a sink. A failure shows the rule, and what would happen to a
// component that used the sink.
//
//	func TestLines(t *testing.T) {
//		eventstest.TestSink(t, func(*testing.T) events.Sink { return &lines{} })
//	}
//
// The simplest conforming Sink accepts every write and returns a nil Event and a nil error. The
// rules are:
//
//   - Create accepts every valid Event, or returns events.ErrFiltered. If an Event of this name
//     exists in the namespace, Create returns AlreadyExists or succeeds, because the answer to an
//     earlier attempt may have been lost.
//   - Patch merges the patch into the stored Event, or stores nothing and succeeds. A patch of {}
//     changes nothing. If the Event does not exist, Patch returns NotFound or succeeds. After any
//     other error the broadcaster tries the write again, unless the error has a Status that forbids
//     it.
//   - A returned Event is the stored one. If it has a resourceVersion, the version changes whenever
//     the Event changes, and Patch returns Conflict for a patch with another version.
//   - The sink neither changes the Event and the patch nor uses them after the call. It does not
//     use an Event after it has returned this Event.
//   - When its context ends, a call returns the error of the context. The context always ends when
//     the call returns. Calls may be concurrent.
//
// The rules read a stored Event by sending the patch {}. They can check less if the sink returns no
// Events. Run TestSink with the race detector, which finds more violations of the rules about
// concurrent calls and retained arguments.
//
// The sink may write to a real cluster. The Events have names that are unique to the run, are in
// the namespaces default and kube-system, and are not deleted afterwards.
func TestSink(t *testing.T, newSink func(t *testing.T) events.Sink) {
	t.Helper()
	for _, rule := range conformance.Rules() {
		t.Run(rule.Name, func(t *testing.T) { rule.Check(t, newSink(t)) })
	}
}
