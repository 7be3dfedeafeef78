// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package actions

import (
	"slices"
	"strings"
)

// ofFunction reads what the name of a function tells: CreateSecret of createSecret and createSecretIfMissing, Delete of
// reconcileDelete, and Reconcile of Reconcile and reconcileAll.
func ofFunction(name string) (attempt, bool) {
	words := splitWords(name)
	for len(words) > 1 && is("prefixes", words[0]) && forms[words[1]].verb == words[1] && forms[words[1]].first {
		words = words[1:]
	}
	if len(words) == 0 {
		return attempt{}, false
	}
	f, ok := forms[words[0]]
	if !ok || f.kind != base || !f.first && !f.failed || is("services", f.verb) {
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

// endsObject reports whether a word in the name of a function is not a part of what it works on.
func endsObject(word string) bool {
	f, verb := forms[word]
	return word == "And" || word == "Now" || is("circumstances", word) || isOutcome(word) || isState(word) ||
		verb && f.kind == inflected && !strings.HasSuffix(word, "ing") // but RoleBinding
}
