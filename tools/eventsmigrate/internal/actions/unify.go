// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package actions

import (
	"slices"
	"strings"
	"unicode"
)

// unify gives the calls of a package that are about one attempt one action: those in the branches of one if, then those
// with the same reason about the same kind of object, and those of a type whose reasons are outcomes of the same thing.
// An action that is certain wins over the guess Rest, and over another guess for the same thing, and the action remains
// a guess then. One whose verb the reason has wins over one that the note alone tells, or that is an outcome, too, and
// an action with an object over the same without one.
func unify(calls []Call, choices []Choice) []Choice {
	for _, family := range []func(a, b Call) bool{inBranches, ofOneReason, ofOneStem} {
		choices = unifyFamilies(calls, choices, family)
	}
	return choices
}

func inBranches(a, b Call) bool { return a.Branch != 0 && a.Branch == b.Branch }

func ofOneReason(a, b Call) bool {
	return a.Reason != "" && a.Reason == b.Reason && a.Regarding == b.Regarding && !isOnlyOutcome(a.Reason)
}

// ofOneStem reports whether two reasons are outcomes of the same thing, and not of all that is done for an object. The
// second one has another verb than that of an outcome.
func ofOneStem(a, b Call) bool {
	of := stem(a.Reason)
	return of != "" && of != a.Regarding && of == stem(b.Reason) && a.Receiver == b.Receiver && a.Regarding == b.Regarding &&
		!tellsPhase(b.Reason)
}

// unifyFamilies gives each call the better action that the others of its family have, if it is one.
func unifyFamilies(calls []Call, choices []Choice, family func(a, b Call) bool) []Choice {
	unified := slices.Clone(choices)
	for i, call := range calls {
		var better []string
		for j, other := range calls {
			if i != j && family(call, other) && isBetter(choices[j], choices[i], other, call) {
				better = append(better, choices[j].Action)
			}
		}
		slices.Sort(better)
		if better = slices.Compact(better); len(better) == 1 {
			unified[i].Action = better[0]
		}
	}
	return unified
}

// isBetter reports whether the choice for another call of a family is better than the own one of a call.
func isBetter(other, own Choice, of, call Call) bool {
	switch {
	case other.Guess || other.Action == Rest:
		return false
	case own.Action == Rest && own.Guess, own.Guess && stem(of.Reason) == stem(call.Reason):
		return true
	case hasVerbOf(call.Reason, other.Action) && !hasVerbOf(call.Reason, own.Action):
		return true
	case tellsPhase(call.Reason) && stem(of.Reason) == stem(call.Reason) && !hasVerbOf(call.Reason, other.Action):
		return true
	}
	object, ok := strings.CutPrefix(other.Action, own.Action)
	bare := forms[own.Action].verb == own.Action && !is("requests", own.Action) && len(Of(call.Reason)) != 1
	return ok && bare && object != "" && unicode.IsUpper(rune(object[0]))
}

// hasVerbOf reports whether a reason has the verb of an action: SlowCheckpoint that of CheckpointPrimary.
func hasVerbOf(reason, action string) bool {
	return slices.ContainsFunc(splitWords(reason), func(word string) bool {
		object, ok := strings.CutPrefix(action, forms[word].verb)
		return ok && forms[word].verb != "" && (object == "" || !unicode.IsLower(rune(object[0])))
	})
}

// tellsPhase reports whether the only verb of a reason is an outcome, too: EventWatcherStarted.
func tellsPhase(reason string) bool {
	_, known := ofReason(reason)
	_, attempted := ofWords(trimOutcomes(splitWords(reason), isOutcome))
	return known && !attempted
}
