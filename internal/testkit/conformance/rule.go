// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"context"
	"slices"

	"github.com/eventseries/eventseries/events"
)

// T has the methods of *testing.T that a rule needs.
type T interface {
	Helper()
	Context() context.Context
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Skipf(format string, args ...any)
}

// Rule is one requirement that every Sink must meet.
type Rule struct {
	// Name is the name of the rule's subtest.
	Name string
	// Requirement says what a Sink must do.
	Requirement string
	// Consequence says what happens to a component whose Sink does not meet the requirement.
	Consequence string

	check func(*trial)
}

// Check checks the rule on sink, and fails t if the sink does not keep it. It skips t if the rule
// does not apply. Nothing else may use the sink meanwhile.
func (r Rule) Check(t T, sink events.Sink) {
	t.Helper()
	r.check(newTrial(t, r, sink))
}

var rules = []Rule{
	{
		"ValidEvents", "Create takes every event that the API server takes, or answers events.ErrFiltered",
		"the occurrences are dropped or tried again until they are too old", validEvents,
	},
	{
		"Answer", "Create and Patch answer nil, or the event as it is stored now, under the name it was sent with",
		"the broadcaster makes the next patch for the version of another object", answersWithTheEvent,
	},
	{
		"RepeatedCreate", "a Create whose name is taken succeeds or is AlreadyExists in the sense of apierrors",
		"a Create whose answer was lost is sent again, and would be dropped or never end", repeatedCreate,
	},
	{
		"Namespaces", "events of one name in two namespaces are two events",
		"one is taken for the other, and its occurrences are lost without a trace", namespaces,
	},

	{
		"Patch", "Patch merges the patch into the event, for any version if it names none: the series is replaced, " +
			"annotations are added, unknown fields are no error",
		"counts and annotations are lost, or the occurrences dropped", patches,
	},
	{
		"EmptyPatch", "a patch of {} changes nothing, whatever event comes with it, and answers nil or what is stored",
		"the broadcaster, which only asks what is stored, undoes what it wrote", emptyPatch,
	},
	{
		"MissingEvent", "Patch of an event that is not there succeeds, or is NotFound with the event in its details",
		"an event that expired is not created anew", missingEvent,
	},
	{
		"StaleVersion", "a sink that tells a resourceVersion changes it with the event, and answers Conflict to others",
		"a patch that was delayed on its way lowers the count for ever", staleVersion,
	},

	{
		"ArgumentsUnchanged", "the event and the patch are left as they are",
		"a write that is tried again is another one", argumentsUnchanged,
	},
	{
		"ArgumentsNotRetained", "neither the event nor the patch is used after the call; a copy may be",
		"what is stored changes behind the sink's back", argumentsNotRetained,
	},
	{
		"AnswerNotRetained", "an event that was answered is the caller's, and nothing that the sink goes on using",
		"callers and sink overwrite each other", answerNotRetained,
	},

	{
		"EndedContext", "a call whose context has ended returns, and does not answer that the event is refused",
		"writes that Drain cuts off, or that waited too long, are dropped as if they were invalid", endedContext,
	},

	{
		"ConcurrentUse", "Create and Patch may be called at any time, also while others are under way",
		"the broadcaster writes from several goroutines, and events get mixed up", concurrentUse,
	},
	{
		"Broadcaster", "a broadcaster over the sink ends with every occurrence recorded or filtered",
		"its user finds occurrences pending for ever, or dropped", broadcaster,
	},
}

// Rules returns all rules, in a new slice.
func Rules() []Rule { return slices.Clone(rules) }
