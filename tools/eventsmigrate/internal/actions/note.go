// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package actions

import (
	"regexp"
	"slices"
	"strings"
)

// ofNote reads what a note tells: CreateSecret of "failed to create the secret", "Created secret %s" and "Secret %s was
// created", and ResizePVC of "PVC resize failed". Sure reports whether the note begins with the verb, or ends so.
func ofNote(note string) (a attempt, sure, ok bool) {
	note = strings.TrimSpace(note)
	begin := outcome.FindString(note)
	if a, ok := ofPhrase(note[len(begin):], begin); ok {
		return a, !isUnexpected(note), true
	}
	if a, ok := ofEnded(note); ok {
		return a, true, true
	}
	if a, ok := ofSentence(note); ok {
		return a, false, true
	}
	return attempt{}, false, false
}

// isUnexpected reports whether a note tells what happened unexpectedly: nobody has attempted that.
func isUnexpected(note string) bool { return strings.Contains(strings.ToLower(note), "unexpectedly") }

// isSeen reports whether a note tells that something is done, and not that somebody does it: 2 workers are evicted.
func isSeen(note, verb string) bool {
	return slices.ContainsFunc(stative.FindAllStringSubmatch(note, -1), func(parts []string) bool {
		return forms[asWord(parts[1])].verb == verb
	})
}

// stative matches a participle that tells a state.
var stative = regexp.MustCompile(`(?i)\b(?:is|are) (?:already |now )?([a-z]+(?:ed|en|t))\b`)

// ofEnded reads an object and the noun of what was attempted in front of an outcome. It does not read a noun in front
// that is a verb, too: "snapshot backup failed". Nor does it read a sentence: "the node reported migration failed".
func ofEnded(note string) (attempt, bool) {
	parts := ended.FindStringSubmatch(note)
	if parts == nil {
		return attempt{}, false
	}
	words := splitWords(parts[1])
	_, twoVerbs := forms[words[0]]
	twoVerbs = twoVerbs || slices.ContainsFunc(words, func(word string) bool { return strings.HasSuffix(word, "ed") })
	last := forms[words[len(words)-1]]
	a, ok := ofWords(words, false, true)
	return a, ok && !twoVerbs && last.verb == a.verb && (last.first || last.kind == noun) && !a.isOdd()
}

var (
	// ended matches a phrase with an outcome at its end.
	ended = regexp.MustCompile(`^([A-Za-z0-9]+(?: [A-Za-z0-9]+){1,3}?) (?:is |was |has )?` +
		`(?:failed|succeeded|started|completed|finished|successful)(?:$|[.,:; ])`)
	// outcome is what a note may have in front of a verb.
	outcome = regexp.MustCompile(`(?i)^(?:while|` +
		`(?:failed|unable|not able|failure|trying|attempting|succeed|succeeded) to|` +
		`(?:error|errors|failed|failure|problem|success|successful|successfully|started|starting|start)` +
		`(?: (?:occurred|encountered|happened))?(?: (?:while|when|in|during|at|on|of|with))?|` +
		`(?:could|can|did|will|do|does) ?not|cannot|couldn't|can't|won't|didn't) `)
	// verbFollows matches those behind which no noun can stand.
	verbFollows = regexp.MustCompile(`(?i)( to|not|n't) $`)
)

// ofPhrase reads a verb and its object behind the outcome with which a note begins. A base form counts only there,
// because a sentence may begin with a noun such as "Backup". One such as "backup" counts only behind "to", because a
// backup may be "failed" as well.
func ofPhrase(phrase, outcome string) (attempt, bool) {
	word, rest, _ := strings.Cut(phrase, " ")
	if strings.EqualFold(word, "successfully") || strings.EqualFold(word, "to") {
		word, rest, _ = strings.Cut(rest, " ")
	}
	verb := asWord(word)
	f, ok := forms[verb]
	if particle, behind, _ := strings.Cut(rest, " "); particle != "" && forms[verb+asWord(particle)].verb != "" { // scale down
		word, rest = particle, behind
		verb += asWord(particle)
		f, ok = forms[verb], true
	}
	atEnd := endsPhrase(word)
	switch {
	case !ok || f.kind == noun || f.kind == inflected && (is("observed", verb) || isOutcome(verb) && !atEnd):
		return attempt{}, false
	case outcome == "" && strings.HasSuffix(verb, "ed") && adjective.MatchString(phrase):
		return attempt{}, false
	case f.kind == base && (outcome == "" || !f.first && !verbFollows.MatchString(outcome)):
		return attempt{}, false
	}
	what := ""
	if !atEnd {
		what = object(strings.TrimPrefix(rest, "for "))
	}
	switch {
	case f.verb == "Wait" && what != "":
		what = "For" + what
	case isAdjective(verb) && what == "":
		return attempt{}, false
	}
	return attempt{f.verb, what}, true
}

// adjective matches a sentence whose participle in front of the noun tells no attempt: "Configured limit is too small".
var adjective = regexp.MustCompile(`^[^.,:;]* (?:is|are|was|were|has|have|does|do|must|cannot|should|will|could|changed|differs) `)

// isAdjective reports whether a form of a verb is one that needs its noun: missing, invalid.
func isAdjective(form string) bool {
	f := forms[form]
	return f.kind == inflected && (f.verb == "Find" || f.verb == "Validate")
}

// asWord is a word of a note as words.txt has it.
func asWord(word string) string { return upperFirst(strings.ToLower(strings.Trim(word, `"'().,:;!`))) }

// endsPhrase reports whether a phrase ends with a word of a note.
func endsPhrase(word string) bool { return strings.ContainsAny(word, ".,:;!)") }

// plainWord matches a word that is no argument, as pod and pg_repack.
var plainWord = regexp.MustCompile(`^["'(]?[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*["')]?[.,:;!]*$`)

// object is the noun with which the rest of a phrase begins, or "" where it is not clear: in "number of pods", or in
// "pod %s finalizer". In "replica %s eviction" it is the noun of a verb.
func object(phrase string) string {
	words := strings.Fields(phrase)
	for len(words) > 0 && (is("articles", strings.ToLower(words[0])) || isDirective(words[0])) {
		words = words[1:]
	}
	var nouns []string
	for i, word := range words {
		if isNounIn(word) {
			nouns = append(nouns, kindOf(strings.Trim(word, `"'().,:;!`)))
			if !endsPhrase(word) {
				continue
			}
			break
		}
		behind := words[i+1:]
		switch {
		case word == "of":
			return ""
		case isDirective(word) && len(behind) > 0 && isNounIn(behind[0]) && behind[0][0] != '(':
			last := asWord(behind[0])
			if forms[last].kind != noun {
				return ""
			}
			return last
		}
		break
	}
	if len(nouns) > 3 {
		return ""
	}
	return strings.Join(nouns, "")
}

// isDirective reports whether an argument replaces a word of a note.
func isDirective(word string) bool {
	return strings.Contains(word, "%") && !strings.ContainsAny(word, ",;")
}

// isNounIn reports whether a word of a note may be a part of an object.
func isNounIn(word string) bool {
	trimmed := asWord(word)
	f, verb := forms[trimmed]
	return plainWord.MatchString(word) && !is("circumstances", trimmed) &&
		!is("breaks", strings.ToLower(trimmed)) && !isState(trimmed) && !isOutcome(trimmed) &&
		!(verb && f.kind == inflected)
}

// kindOf is a word of a note as a part of an action.
func kindOf(word string) string {
	for _, kind := range sections["kinds"] {
		if strings.EqualFold(word, kind) {
			return kind
		}
		if strings.EqualFold(word, kind+"s") {
			return kind + "s"
		}
	}
	camel := ""
	for part := range strings.SplitSeq(word, "_") {
		camel += upperFirst(part)
	}
	return camel
}

// passive is a sentence whose participle follows its object, but not one of two participles.
var passive = regexp.MustCompile(`^((?:[A-Za-z]+ ){1,4}?)(?:["'(]?%\S+ )?` +
	`(?:(?:(?:has been |have been |was |were )?successfully|has been|have been|was|were|been) )?` +
	`([A-Za-z]+ed|built|sent|found|rebuilt)(?:[.,;:]|$| [^o]| o[^r])`)

// ofSentence reads such a sentence.
func ofSentence(note string) (attempt, bool) {
	parts := passive.FindStringSubmatch(note)
	if parts == nil {
		return attempt{}, false
	}
	participle := asWord(parts[2])
	f, ok := forms[participle]
	what := object(parts[1])
	other := slices.ContainsFunc(strings.Fields(parts[1]), func(word string) bool {
		return !isNounIn(word) && !is("articles", strings.ToLower(word))
	})
	attempted := ok && (f.first || f.last) && !isState(participle) && !isOutcome(participle)
	return attempt{f.verb, what}, attempted && what != "" && !other
}
