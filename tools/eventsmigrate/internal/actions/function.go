// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package actions

import (
	"slices"
	"strings"
)

// ofFunction reads what the name of a function tells: CreateSecret of createSecret, createSecretIfMissing and
// getOrCreateSecret, Delete of reconcileDelete, UpdateStatus of updateFailedStatus, and Reconcile of Reconcile and
// reconcileAll. It does not read that of a function that helps, notifies or records, whatever is attempted.
func ofFunction(name string) (attempt, bool) {
	return ofName(name, func(verb string) bool { return is("services", verb) })
}

// NamesAttempt reports whether the name of a function tells an attempt, whatever the reasons for it and its outcomes are:
// deletePod, but neither Reconcile, nor recordEvent, nor updateStatus, which tells the status of what others attempt.
func NamesAttempt(function string) bool {
	a, ok := ofFunction(function)
	isPart := func(part string) bool { return strings.HasSuffix(a.object, part) }
	return ok && a.object != "" && !a.isAll() && !slices.ContainsFunc(sections["parts"], isPart)
}

// ofFailed reads the name of what was called and has failed. A request is one for the object that it was called with.
func ofFailed(call Call) (attempt, bool) {
	a, ok := ofName(call.Failed, func(verb string) bool { return is("services", verb) && !is("requests", verb) })
	if ok && a.object == "" && is("requests", a.verb) {
		a.object = call.Object
	}
	return a, ok
}

// ofStep reads the name of a type that is one step of a reconciler: UpdatePods of updatePods, but nothing of
// BackupReconciler.
func ofStep(name string) (attempt, bool) {
	does := func(word string) bool { return strings.HasSuffix(word, "er") || strings.HasSuffix(word, "or") }
	if slices.ContainsFunc(splitWords(name), does) {
		return attempt{}, false
	}
	a, ok := ofFunction(name)
	return a, ok && a.object != "" && !a.isAll()
}

// ofName reads the name of a function that begins with a verb, unless the verb helps.
func ofName(name string, helps func(verb string) bool) (attempt, bool) {
	words := alternative(splitWords(name))
	for len(words) > 1 && is("prefixes", words[0]) && forms[words[1]].verb == words[1] && forms[words[1]].first {
		words = words[1:]
	}
	if len(words) == 0 {
		return attempt{}, false
	}
	if is("parts", words[len(words)-1]) {
		words = slices.DeleteFunc(words, func(word string) bool { return isOutcome(word) || isState(word) })
	}
	f, ok := forms[words[0]]
	if !ok || f.kind != base || !f.first && !f.failed || helps(f.verb) {
		return attempt{}, false
	}
	everything := f.verb == "Reconcile" || f.verb == "Sync"
	if slices.ContainsFunc(words, func(word string) bool { return is("vague", word) }) {
		return attempt{verb: f.verb}, everything
	}
	end := 1
	for end < len(words) && !endsObject(words[end]) {
		end++
	}
	switch {
	case end > 4, end == 1 && len(words) > 1 && !everything:
		return attempt{}, false
	case f.verb == "Reconcile" && words[end-1] == "Status":
		return attempt{"Update", "Status"}, true
	}
	return attempt{f.verb, strings.Join(words[1:end], "")}, true
}

// alternative makes one verb of two: Create of getOrCreate, and Apply of createOrUpdate.
func alternative(words []string) []string {
	if len(words) < 3 || words[1] != "Or" {
		return words
	}
	changes := func(verb string) bool { return verb == "Create" || verb == "Update" || verb == "Patch" }
	switch first, second := words[0], words[2]; {
	case is("services", first):
		return words[2:]
	case changes(first) && changes(second):
		return slices.Concat([]string{"Apply"}, words[3:])
	}
	return words
}

// endsObject reports whether a word in the name of a function is not a part of what it works on.
func endsObject(word string) bool {
	f, verb := forms[word]
	return word == "And" || word == "Now" || is("circumstances", word) || isOutcome(word) || isState(word) ||
		verb && f.kind == inflected && !strings.HasSuffix(word, "ing") // but RoleBinding
}
