// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package actions

import (
	_ "embed" // of the words
	"slices"
	"strings"
	"unicode"
)

//go:embed words.txt
var wordList string

// form is a form of a verb.
type form struct {
	verb   string // its base form
	kind   kind
	first  bool // the base form tells an attempt in the first place of a name
	failed bool // it tells one there if something failed
	last   bool // it tells one in the last place
}

// kind is the kind of a form.
type kind int

const (
	base      kind = iota
	inflected      // Creating, Created
	noun           // Creation
)

// verbs are the sections of verbs.
var verbs = []string{"verbs", "first", "failed", "last", "inflected"}

// forms has the forms of all verbs of words.txt, and sections the words of the other sections.
var forms, sections = readWords(wordList)

// is reports whether a section of words.txt has a word.
func is(section, word string) bool { return slices.Contains(sections[section], word) }

func readWords(text string) (forms map[string]form, sections map[string][]string) {
	forms, sections = map[string]form{}, map[string][]string{}
	section := ""
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if strings.HasPrefix(line, "[") {
			section = strings.Trim(line, "[]\n")
			continue
		}
		for entry := range strings.SplitSeq(line, ",") {
			words := strings.Fields(entry)
			switch {
			case len(words) == 0:
			case slices.Contains(verbs, section):
				addVerb(forms, words, section)
			default:
				sections[section] = append(sections[section], words[0])
			}
		}
	}
	return forms, sections
}

// addVerb adds the forms of a verb: the regular ones, and those that are given behind it.
func addVerb(forms map[string]form, words []string, section string) {
	f := form{
		verb:   words[0],
		kind:   inflected,
		first:  section == "verbs" || section == "first",
		failed: section == "failed",
		last:   section == "verbs" || section == "failed" || section == "last",
	}
	stem, end := strings.TrimSuffix(f.verb, "e"), f.verb[len(f.verb)-1:]
	for _, regular := range []string{
		stem + "ing", stem + "ed", f.verb + end + "ing", f.verb + end + "ed", strings.TrimSuffix(f.verb, "y") + "ied",
	} {
		forms[regular] = f
	}
	for _, given := range words[1:] {
		f.kind = inflected
		if strings.EqualFold(given, f.verb) || endsAsNoun(given) { // a rollback rolls back
			f.kind = noun
		}
		forms[given] = f
	}
	f.kind = base
	forms[f.verb] = f
}

// endsAsNoun reports whether a form of a verb ends as nouns do: Creation, Renewal.
func endsAsNoun(form string) bool {
	return slices.ContainsFunc([]string{"ion", "ment", "al", "ance", "ery", "ysis", "son", "ure"}, func(end string) bool {
		return strings.HasSuffix(form, end)
	})
}

// splitWords returns the words of a name in CamelCase, or of a text, each with a capital letter. Two words that
// words.txt has as one, such as ScaledUp, are one.
func splitWords(name string) (words []string) {
	letters := []rune(name)
	start := 0
	for i := 1; i <= len(letters); i++ {
		if i < len(letters) && !startsWord(letters, i) {
			continue
		}
		word := upperFirst(strings.TrimFunc(string(letters[start:i]), isSeparator))
		start = i
		last := len(words) - 1
		switch {
		case word == "":
		case last >= 0 && isKnown(words[last]+word):
			words[last] += word
		default:
			words = append(words, word)
		}
	}
	return words
}

// startsWord reports whether a word begins at a letter of a name. PVCs is one word, and PVCSnapshot two.
func startsWord(letters []rune, i int) bool {
	before, at := letters[i-1], letters[i]
	switch {
	case isSeparator(before):
		return true
	case !unicode.IsUpper(at):
		return false
	case !unicode.IsUpper(before):
		return true
	case i+1 == len(letters) || !unicode.IsLower(letters[i+1]):
		return false
	default:
		return letters[i+1] != 's' || i+2 < len(letters) && unicode.IsLower(letters[i+2])
	}
}

func isSeparator(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// isKnown reports whether words.txt has a word.
func isKnown(word string) bool {
	_, verb := forms[word]
	return verb || is("compounds", word) || isOutcome(word) || is("states", word) || is("observed", word)
}

func isOutcome(word string) bool { return is("outcomes", word) }

// isState reports whether a word tells what was seen. So does an adverb: nobody attempts to detach unexpectedly.
func isState(word string) bool {
	_, verb := forms[word]
	return is("states", word) || is("observed", word) || !verb && strings.HasSuffix(word, "ly")
}

func upperFirst(word string) string {
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}
