// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package actions

import "slices"

// Call is what is known of a call that records an Event.
type Call struct {
	Reason    string // "" if it is not known
	Note      string // a format or a text, "" if it is not known
	Function  string // the name of the function around the call
	Regarding string // the kind of the object, "" if it is not known
}

// Choice is the action for a call.
type Choice struct {
	Action string // "" if nothing tells one
	Guess  bool   // the action, or that there is none, is not certain
}

// Choose returns the actions for the calls of one function. Certain are those of the table, those that the reason
// tells with its verb, and then those with whose verb the note begins. A guess is what the name of the function
// tells, or the other reasons in it, or a verb elsewhere in the note. Calls with the same verb are about one attempt,
// unless their objects differ.
func Choose(calls []Call) []Choice {
	attempts := make([]attempt, len(calls))
	choices := make([]Choice, len(calls))
	for i, call := range calls {
		known := Of(call.Reason)
		own, ok := ofReason(call.Reason)
		note, sure, _ := ofNote(call.Note)
		switch {
		case len(known) == 1:
			attempts[i] = attempt{verb: known[0]}
		case ok && len(known) == 0:
			attempts[i] = own
			if own.object == "" && own.verb != "Reconcile" && sure && note.verb == own.verb {
				attempts[i].object = note.object
			}
		case sure && note != wait:
			attempts[i] = note
		default:
			choices[i].Guess = true
		}
	}
	complete(calls, attempts)
	for i, call := range calls {
		if choices[i].Guess {
			attempts[i] = guess(call, calls, attempts)
		}
	}
	for i, call := range calls {
		if attempts[i].object == call.Regarding { // the Event names it
			attempts[i].object = ""
		}
		choices[i].Action = attempts[i].action()
		if SaysNothing(choices[i].Action) {
			choices[i] = Choice{Guess: true}
		}
	}
	return choices
}

// Told returns the actions that a reason tells by itself: those of the table, or that of its own verb.
func Told(reason string) []string {
	known := Of(reason)
	if own, ok := ofReason(reason); ok && len(known) == 0 && !SaysNothing(own.action()) {
		known = []string{own.action()}
	}
	return known
}

// complete gives attempts without an object that of an attempt with the same verb, or that in the name of the
// function. The actions of the table need none.
func complete(calls []Call, attempts []attempt) {
	for i, a := range attempts {
		if a.verb == "" || a.object != "" || len(Of(calls[i].Reason)) == 1 {
			continue
		}
		var objects []string
		for j, other := range attempts {
			if other.verb == a.verb && (other.object != "" || len(Of(calls[j].Reason)) == 1) {
				objects = append(objects, other.object)
			}
		}
		slices.Sort(objects)
		objects = slices.Compact(objects)
		around, ok := ofFunction(calls[i].Function)
		switch request := slices.Contains(requests, a.verb); {
		case len(objects) == 1 && !request:
			attempts[i].object = objects[0]
		case len(objects) == 0 && ok && (around.verb == a.verb || request && slices.Contains(prefixes, around.verb)):
			attempts[i].object = around.object
		}
	}
}

// requests are verbs that a function has for many objects, one after the other.
var requests = []string{"Add", "Apply", "Create", "Delete", "Find", "Get", "Patch", "Remove", "Update", "Validate"}

// wait is what a note tells that does not say for what.
var wait = attempt{verb: "Wait"}

// guess is the attempt for a call that tells none with certainty.
func guess(call Call, calls []Call, attempts []attempt) attempt {
	around, named := ofFunction(call.Function)
	if named && around.object != "" {
		return around
	}
	if isOnlyOutcome(call.Reason) {
		if a := beside(calls, attempts); a.verb != "" {
			return a
		}
	}
	if a, _, ok := ofNote(call.Note); ok && a != wait {
		return a
	}
	if named {
		return around
	}
	return attempt{}
}

// beside is the one attempt that the reasons of a function tell, or none.
func beside(calls []Call, attempts []attempt) (one attempt) {
	for i, call := range calls {
		if isOnlyOutcome(call.Reason) || attempts[i].verb == "" {
			continue
		}
		if one.verb != "" && one != attempts[i] {
			return attempt{}
		}
		one = attempts[i]
	}
	return one
}

// isOnlyOutcome reports whether a reason, such as Failed or Started, tells how something ended, and not what.
func isOnlyOutcome(reason string) bool {
	rest, _, _ := trimOutcomes(splitWords(reason), isOutcome)
	return len(rest) == 0 && reason != ""
}
