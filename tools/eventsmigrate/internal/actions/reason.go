// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package actions

import (
	"regexp"
	"slices"
	"strings"
)

// attempt is what somebody tried to do, and with what.
type attempt struct{ verb, object string }

// action is an attempt as an action. A controller does all of its work in Reconcile, so that this word alone becomes
// what docs/actions.md has for the rest of the work.
func (a attempt) action() string {
	switch {
	case a.verb == "Reconcile" && a.object == "":
		return Rest
	case a.verb == "Wait" && a.object != "" && !strings.HasPrefix(a.object, "For"):
		return "WaitFor" + a.object
	}
	return a.verb + a.object
}

// ofReason reads what a reason tells: SyncSecret of SecretSynced, SecretSyncError and FailedToSyncSecret. It returns
// nothing for a reason that tells only an outcome, or what was seen. It is not sure of a phrase in lower case: in "image
// update failed" something may be updated, or an update be described.
func ofReason(reason string) (a attempt, sure bool) {
	phrase := strings.Contains(reason, " ")
	if phrase {
		if a, sure, _ := ofNote(reason); sure || isSentence(reason) {
			return a, sure
		}
	}
	words := slices.DeleteFunc(splitWords(reason), func(word string) bool { return word == "Auto" })
	rest, front, back := trimOutcomes(words, isOutcome)
	a, ok := ofWords(rest, front, back)
	if !ok {
		a, ok = ofWords(trimOutcomes(words, func(word string) bool { // but for Started and its like, which are verbs, too
			_, verb := forms[word]
			return isOutcome(word) && !verb
		}))
	}
	if !ok || a.isOdd() {
		return attempt{}, false
	}
	return a, !lowerCase.MatchString(reason)
}

// lowerCase matches a phrase with a word in lower case.
var lowerCase = regexp.MustCompile(` [a-z]`)

// isOdd reports whether an attempt is a wrong reading: nobody upgrades a status.
func (a attempt) isOdd() bool {
	for _, end := range []string{"Status", "Condition", "State", "Phase"} {
		if strings.HasSuffix(a.object, end) && !is("reporting", a.verb) {
			return true
		}
	}
	return false
}

// isSentence reports whether a reason is no name but a text, which belongs into the note.
func isSentence(reason string) bool {
	return len(strings.Fields(reason)) > 4 || strings.Contains(reason, "%")
}

// trimOutcomes removes outcomes and circumstances. It reports whether an outcome was in front, as in FailedCreate, and
// whether one was behind.
func trimOutcomes(words []string, isOutcome func(string) bool) (rest []string, front, back bool) {
	rest = slices.Clone(words)
	for len(rest) > 0 && (isOutcome(rest[0]) || front && rest[0] == "To") {
		rest, front = rest[1:], true
	}
	for i := 1; i < len(rest); i++ {
		switch {
		case isOutcome(rest[i-1]) && rest[i] == "To": // ServiceFailedToCreate
			rest = slices.Delete(rest, i-1, i+1)
			i--
		case is("circumstances", rest[i]) && !isTarget(rest, i):
			rest = rest[:i]
		}
	}
	for len(rest) > 0 && isOutcome(rest[len(rest)-1]) {
		rest, back = rest[:len(rest)-1], true
	}
	if last := len(rest) - 1; last > 0 && (rest[last-1] == "Pre" || rest[last-1] == "Post") { // UpgradePreCheck: a time
		rest = slices.Delete(rest, last-1, last)
	}
	return rest, front, back
}

// isTarget reports whether a preposition belongs to the verb in front of it.
func isTarget(words []string, i int) bool {
	f, verb := forms[words[0]]
	return verb && i == 1 && is("targets", words[i]) && (f.kind == inflected || f.kind == base && f.first)
}

// ofWords reads the words of a reason without its outcomes, which were in front or behind.
func ofWords(words []string, front, back bool) (attempt, bool) {
	if len(words) == 0 || is("observed", words[0]) || slices.Contains(words, "And") || slices.Contains(words, "Or") {
		return attempt{}, false
	}
	end := words[len(words)-1]
	first, isFirst := forms[words[0]]
	last, isLast := forms[end]
	firstIs := func(kind kind) bool { return isFirst && first.kind == kind }
	lastIs := func(kind kind) bool { return isLast && last.kind == kind }
	verbFirst := attempt{first.verb, strings.Join(words[1:], "")}
	verbLast := attempt{last.verb, strings.Join(slices.DeleteFunc(slices.Clone(words[:len(words)-1]), denies), "")}
	if is("manners", verbLast.object) || verbLast.object == last.verb { // HorizontalScale, BuildBuilding
		verbLast.object = ""
	}
	switch {
	case len(words) == 1:
		return attempt{verb: first.verb}, isFirst && (!firstIs(base) || first.first || first.last)
	case isState(end), is("incidents", end) && !front && !back, slices.ContainsFunc(words, denies) && last.verb != "Find" && last.verb != "Validate":
		return attempt{}, false
	case firstIs(inflected) && lastIs(noun) && len(words) > 2 && strings.HasSuffix(words[0], "ed") && !is("phases", first.verb):
		return verbLast, true // ExposedIPResolution
	case firstIs(inflected) && !lastIs(inflected): // CreatingPod, CreatedPod
		return verbFirst, true
	case firstIs(base) && first.first && !lastIs(inflected): // CreatePod
		return verbFirst, true
	case firstIs(base) && (first.first || back) && strings.HasSuffix(end, "ing"): // CreateBinding, ScheduleBindingFailed
		return verbFirst, true
	case slices.ContainsFunc(words, isState), slices.ContainsFunc(words[1:len(words)-1], tells): // PubPreventPodDeletion
		return attempt{}, false
	case lastIs(inflected) && (last.first || last.last || !strings.HasSuffix(end, "ing")): // PodCreated
		return verbLast, true
	case lastIs(base) && last.first && last.last: // PodCreate
		return verbLast, true
	case firstIs(base) && front && !lastIs(noun) && !(lastIs(base) && last.last): // FailedLabelPod
		return verbFirst, true
	case firstIs(base) && back && first.failed && !lastIs(noun) && !(lastIs(base) && last.last): // BuildModelFailed
		return verbFirst, true
	case lastIs(noun): // PodCreation
		return verbLast, true
	case lastIs(base) && last.last && (!firstIs(base) || !front || len(words) > 2 || last.failed): // not FailedSyncLabel
		return verbLast, true
	}
	return attempt{}, false
}

// denies reports whether a word says that something is not so, or need not be done.
func denies(word string) bool { return is("denials", word) }

// tells reports whether a word is the base form of a verb that tells an attempt wherever it stands.
func tells(word string) bool {
	f := forms[word]
	return f.kind == base && f.first && f.last
}
