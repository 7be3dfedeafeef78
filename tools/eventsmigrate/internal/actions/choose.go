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
	Regarding string // the kind of the object, "" if it is not known
	Function  string // the name of the function around the call
	Receiver  string // the name of the type whose method that is, or ""
	In        int    // of the calls in one function, the same number
	Branch    int    // of the calls that tell how one attempt ended, in the branches of an if, the same number, or 0
	Log       string // a message that is logged, or an error that is made, beside the call, or ""
	Failed    string // the name of what was called and has failed, or ""
	Object    string // the kind of the object that it was called with, or ""
}

// Choice is the action for a call.
type Choice struct {
	Action string
	Guess  bool // the action is not certain
}

// Choose returns the actions for the calls of a package, in which those of a function follow each other. Certain are the
// actions of the table, those that the reason tells with its verb, and then those with whose verb the note begins; but
// not that of a reason if the note and the function tell others or the note something unexpected, nor a verb that lacks
// its object. A guess is what the name of the function tells, or the other reasons in it, a verb elsewhere in the note,
// the name of the type, what is logged beside the call, or the name of what has failed, and for the rest of them Rest.
// Calls with the same verb are about one attempt, unless their objects differ.
func Choose(calls []Call) []Choice {
	var choices []Choice
	for rest := calls; len(rest) > 0; {
		end := slices.IndexFunc(rest, func(call Call) bool { return call.In != rest[0].In })
		if end < 0 {
			end = len(rest)
		}
		choices = append(choices, chooseIn(rest[:end])...)
		rest = rest[end:]
	}
	return unify(calls, choices)
}

// chooseIn chooses the actions for the calls of one function.
func chooseIn(calls []Call) []Choice {
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
		a := attempts[i].about(call.Regarding)
		choices[i].Action = a.action()
		switch {
		case choices[i].Action == "", SaysNothing(choices[i].Action):
			choices[i] = Choice{Rest, true}
		case a.object == "" && is("dependent", a.verb) && len(Of(call.Reason)) != 1:
			choices[i].Guess = true
		}
	}
	return choices
}

// about is an attempt without the kind of the object that the Event is about, because the Event names it: Update of
// UpdateJob, and UpdateStatus of UpdateJobStatus.
func (a attempt) about(kind string) attempt {
	part := ""
	if len(a.object) > len(kind) && strings.EqualFold(a.object[:len(kind)], kind) {
		part = a.object[len(kind):]
	}
	switch {
	case strings.EqualFold(a.object, kind), a.object == initials(kind), is("itself", a.object):
		a.object = ""
	case is("parts", part):
		a.object = part
	}
	return a
}

// read is the attempt that the table, the reason or the note of a call tells, and whether it is a guess.
func read(call Call) (a attempt, guess bool) {
	known := Of(call.Reason)
	own, sure := ofReason(call.Reason)
	note, begins, noted := ofNote(call.Note)
	around, named := ofFunction(call.Function)
	differ := noted && named && note.verb != own.verb && around.verb != own.verb && !is("phases", note.verb) &&
		!is("prefixes", around.verb) && around.verb != "Sync" && !is("general", own.verb)
	seen := named && around.verb != own.verb && !around.isAll() && !hasOutcome(call.Reason) && isSeen(call.Note, own.verb)
	switch {
	case len(known) == 1:
		return attempt{verb: known[0]}, false
	case own.verb != "" && len(known) == 0 && !seen:
		if own.object == "" && own.verb != "Reconcile" && begins && note.verb == own.verb {
			own.object = note.object
		}
		return own, !sure || differ || isUnexpected(call.Note)
	case begins && note != wait && !note.isOdd():
		// A note about the pause of an attempt does not tell the attempt.
		return note, is("phases", note.verb) && len(known) == 0
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

// complete gives attempts without an object that of an attempt with the same verb, or that in the name of the function, in
// what is logged or in what has failed. The actions of the table need none. An object beside its plural becomes that.
func complete(calls []Call, attempts []attempt) {
	for i, a := range attempts {
		if plural := (attempt{a.verb, a.object + "s"}); a.object != "" && slices.Contains(attempts, plural) {
			attempts[i] = plural
		}
		if a.verb == "" || a.object != "" || len(Of(calls[i].Reason)) == 1 {
			continue
		}
		switch objects := objectsBeside(a.verb, calls, attempts); {
		case len(objects) == 1 && !is("requests", a.verb):
			attempts[i].object = objects[0]
		case len(objects) == 0:
			attempts[i].object = objectNear(calls[i], a.verb)
		}
	}
}

// objectsBeside are the objects that attempts with a verb have. In the table it has none, which counts as one.
func objectsBeside(verb string, calls []Call, attempts []attempt) (objects []string) {
	for i, a := range attempts {
		if a.verb == verb && (a.object != "" || len(Of(calls[i].Reason)) == 1) {
			objects = append(objects, a.object)
		}
	}
	slices.Sort(objects)
	return slices.Compact(objects)
}

// objectNear is the object of a verb that the function, the log or the name of what has failed tells, or "".
func objectNear(call Call, verb string) string {
	around, _ := ofFunction(call.Function)
	logged, _, _ := ofNote(call.Log)
	failed, _ := ofFailed(call)
	for _, near := range []attempt{around, logged, failed} {
		if near.verb == verb && near.object != "" && !near.isOdd() {
			return near.object
		}
	}
	if is("requests", verb) && is("prefixes", around.verb) {
		return around.object
	}
	return ""
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
	if a, ok := ofStep(call.Receiver); ok {
		return a
	}
	if a, begins, _ := ofNote(call.Log); begins && a.object != "" && !a.isOdd() {
		return a
	}
	if a, ok := ofFailed(call); ok && a.object != "" {
		return a
	}
	if objects := objectsBeside(around.verb, calls, attempts); named && len(objects) == 1 && !around.isAll() {
		around.object = objects[0]
	}
	if around.object == "" && is("dependent", around.verb) {
		return attempt{}
	}
	return around
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

// hasOutcome reports whether a reason tells how something ended.
func hasOutcome(reason string) bool { return slices.ContainsFunc(splitWords(reason), isOutcome) }

// isOnlyOutcome reports whether a reason, such as Failed or Started, tells how something ended, and not what.
func isOnlyOutcome(reason string) bool { return reason != "" && stem(reason) == "" }

// stem is what a reason is about, without its outcomes: EventWatcher of EventWatcherError and EventWatcherStarted.
func stem(reason string) string {
	rest, _, _ := trimOutcomes(splitWords(reason), isOutcome)
	return strings.Join(rest, "")
}
