// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"testing"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/conformance"
)

// TestSink checks that a Sink keeps the contract of events.Sink. Each rule is a subtest, with a sink of its own from
// newSink; a failure says what was seen, which rule that breaks, and what a broadcaster does to such a sink.
//
//	func TestLines(t *testing.T) {
//		eventstest.TestSink(t, func(*testing.T) events.Sink { return &lines{} })
//	}
//
// The least that a Sink has to do is to accept every write and to answer nil for both the event and the error. Beyond
// that:
//
//   - Create takes every valid event. An event that is not wanted is answered with events.ErrFiltered. A name that is
//     taken in its namespace is AlreadyExists, or a success: the answer to the first attempt may have been lost.
//   - Patch merges the patch, or stores nothing and succeeds. {} changes nothing. An event that is not there is
//     NotFound, or a success. Other errors say that the write is to be tried again, or, with a Status, what else.
//   - An event that is answered is the stored one. If it has a resourceVersion, that changes with the event, and a
//     patch for another version is a Conflict.
//   - The event and the patch are not changed, nor used after the call. What is answered is the caller's.
//   - A call returns when its context ends, with the context's error. Several calls may be under way at a time.
//
// The rules read what is stored with a patch of {}. A sink that answers nil is checked less. Run TestSink with the race
// detector, which finds more violations of the rules about concurrent use and retained arguments. The rule about calls
// that wait needs a sink with methods Hold and Release, like [Sink]: between the two, calls wait.
//
// Events go to the namespaces default and kube-system, under names that no other run has, so that a sink may write to a
// real cluster. They are not deleted.
func TestSink(t *testing.T, newSink func(t *testing.T) events.Sink) {
	t.Helper()
	for _, rule := range conformance.Rules() {
		t.Run(rule.Name, func(t *testing.T) { rule.Check(t, newSink(t)) })
	}
}
