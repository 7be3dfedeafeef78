// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package actions

import (
	"slices"
	"strings"
	"unicode"
)

// Call is what is known of a call that records an Event.
type Call struct {
	Reason    string // "" if it is not known
	Note      string // a format or a text, "" if it is not known
	Function  string // the name of the function around the call
	Regarding string // the kind of the object, "" if it is not known
	Branch    int    // of the calls that tell how one attempt ended, in the branches of an if, the same number, or 0
}

// Choice is the action for a call.
type Choice struct {
	Action string // "" if neither the reason is known nor anything else tells one
	Guess  bool   // the action, or that there is none, is not certain
}

// Choose returns the actions for the calls of one function. Certain are those of the table, those that the reason
// tells with its verb, and then those with whose verb the note begins; but not that of a reason if the note and the
// function tell others or the note something unexpected, nor a verb that lacks its object. A guess is what the name of
// the function tells, or the other reasons in it, or a verb elsewhere in the note, and for the rest of them Rest.
// Calls with the same verb are about one attempt, unless their objects differ.
func Choose(calls []Call) []Choice {
	attempts := make([]attempt, len(calls))
	choices := make([]Choice, len(calls))
	for i, call := range calls {
		attempts[i], choices[i].Guess = read(call)
	}
	complete(calls, attempts)
	for i, call := range calls {
		if attempts[i].verb == "" {
			attempts[i] = guess(call, calls, attempts)
		}
	}
	for i, call := range calls {
		if object := attempts[i].object; object == call.Regarding || object == initials(call.Regarding) { // the Event names it
			attempts[i].object = ""
		}
		a := attempts[i]
		choices[i].Action = a.action()
		switch {
		case SaysNothing(choices[i].Action):
			choices[i] = Choice{Guess: true}
		case a.object == "" && is("dependent", a.verb) && len(Of(call.Reason)) != 1:
			choices[i].Guess = true
		}
		if choices[i].Action == "" && call.Reason != "" {
			choices[i].Action = Rest
		}
	}
	return choices
}

// read is the attempt that the table, the reason or the note of a call tells, and whether it is a guess.
func read(call Call) (a attempt, guess bool) {
	known := Of(call.Reason)
	own, sure := ofReason(call.Reason)
	note, begins, noted := ofNote(call.Note)
	around, named := ofFunction(call.Function)
	differ := noted && named && note.verb != own.verb && around.verb != own.verb && !is("phases", note.verb) &&
		!is("prefixes", around.verb) && around.verb != "Sync" && !is("general", own.verb)
	switch {
	case len(known) == 1:
		return attempt{verb: known[0]}, false
	case own.verb != "" && len(known) == 0:
		if own.object == "" && own.verb != "Reconcile" && begins && note.verb == own.verb {
			own.object = note.object
		}
		return own, !sure || differ || isUnexpected(call.Note)
	case begins && note != wait && !note.isOdd():
		return note, false
	}
	return attempt{}, true
}

// isAll reports whether an attempt is all that a controller does.
func (a attempt) isAll() bool { return a.verb == "Reconcile" || a.verb == "Sync" }

// initials are the capital letters of a kind: PVC.
func initials(kind string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return r
		}
		return -1
	}, kind)
}

// Told returns the actions that a reason tells by itself: those of the table, or that of its own verb.
func Told(reason string) []string {
	known := Of(reason)
	if own, sure := ofReason(reason); sure && len(known) == 0 && !SaysNothing(own.action()) {
		known = []string{own.action()}
	}
	return known
}

// complete gives attempts without an object that of an attempt with the same verb, or that in the name of the
// function. The actions of the table need none. An object beside its plural becomes that.
func complete(calls []Call, attempts []attempt) {
	for i, a := range attempts {
		if plural := (attempt{a.verb, a.object + "s"}); a.object != "" && slices.Contains(attempts, plural) {
			attempts[i] = plural
		}
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
		switch request := is("requests", a.verb); {
		case len(objects) == 1 && !request:
			attempts[i].object = objects[0]
		case len(objects) == 0 && ok && (around.verb == a.verb || request && is("prefixes", around.verb)):
			attempts[i].object = around.object
		}
	}
}

// wait is what a note tells that does not say for what.
var wait = attempt{verb: "Wait"}

// guess is the attempt for a call that tells none with certainty.
func guess(call Call, calls []Call, attempts []attempt) attempt {
	around, named := ofFunction(call.Function)
	if named && around.object != "" && !around.isAll() {
		return around
	}
	if isOnlyOutcome(call.Reason) {
		if a := beside(calls, attempts); a.verb != "" {
			return a
		}
	}
	if a, _, ok := ofNote(call.Note); ok && a != wait && !a.isOdd() {
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
