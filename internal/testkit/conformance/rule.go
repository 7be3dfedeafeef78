// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"context"
	"slices"

	"github.com/eventseries/eventseries/events"
)

// T is the subset of *testing.T that a rule needs.
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

// Check checks the rule on sink, and fails t if the sink does not meet it. It skips t if the rule
// does not apply. Nothing else may use the sink at the same time.
func (r Rule) Check(t T, sink events.Sink) {
	t.Helper()
	r.check(newTrial(t, r, sink))
}

var rules = []Rule{
	{
		"ValidEvents", "Create accepts every Event that the API server accepts, or returns events.ErrFiltered",
		"the occurrences are dropped, or the write is tried again until they are too old", validEvents,
	},
	{
		"Answer", "Create and Patch return nil, or the Event as it is stored now, with the name that it was sent with",
		"the broadcaster sends its next patch with the version of another object", answersWithTheEvent,
	},
	{
		"RepeatedCreate", "a Create with a name that exists succeeds, or returns AlreadyExists as defined by apierrors",
		"a Create whose answer was lost is sent again, and is then dropped or never ends", repeatedCreate,
	},
	{
		"Namespaces", "two Events of the same name in two namespaces are different Events",
		"one is taken for the other, and its occurrences are lost without a trace", namespaces,
	},

	{
		"Patch", "Patch merges the patch into the Event, whatever its version if the patch has none: the series is " +
			"replaced, annotations are added, and unknown fields are not an error",
		"counts and annotations are lost, or the occurrences are dropped", patches,
	},
	{
		"EmptyPatch", "a patch of {} changes nothing, whatever Event is passed with it, and returns nil " +
			"or the stored Event",
		"the broadcaster, which only asks for the stored Event, undoes its own writes", emptyPatch,
	},
	{
		"MissingEvent", "Patch of an Event that does not exist succeeds, or returns NotFound with the Event " +
			"in its details",
		"an Event that has expired is not created again", missingEvent,
	},
	{
		"StaleVersion", "a sink that returns a resourceVersion changes it with the Event, and returns Conflict " +
			"for a patch with another one",
		"a patch that was delayed on its way lowers the count for ever", staleVersion,
	},

	{
		"ArgumentsUnchanged", "the Event and the patch are not changed",
		"a write that is tried again differs from the first attempt", argumentsUnchanged,
	},
	{
		"ArgumentsNotRetained", "the sink uses neither the Event nor the patch after the call, but may use a copy",
		"the stored Event changes without the knowledge of the sink", argumentsNotRetained,
	},
	{
		"AnswerNotRetained", "the sink does not use an Event any more that it has returned",
		"the broadcaster and the sink overwrite each other's changes", answerNotRetained,
	},

	{
		"EndedContext", "a call whose context has ended returns, and does not say that the Event is refused",
		"writes that Drain cuts off, or that waited too long, are dropped as if they were invalid", endedContext,
	},

	{
		"ConcurrentUse", "Create and Patch may be called at any time, also while other calls are running",
		"the broadcaster writes from several goroutines, and Events get mixed up", concurrentUse,
	},
	{
		"Broadcaster", "after a broadcaster with the sink has ended, every occurrence is recorded or filtered",
		"occurrences are pending for ever, or dropped", broadcaster,
	},
}

// Rules returns all rules, in a new slice.
func Rules() []Rule { return slices.Clone(rules) }
