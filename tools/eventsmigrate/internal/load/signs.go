// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"bytes"
	"os"
	"regexp"
	"slices"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

// UsesOld reports whether a file has signs of the old API in its text. A file that cannot be read has none.
func UsesOld(file string) bool {
	return mentions(read(file), `"`+api.Record+`"`, api.ManagerMethod+"(")
}

// provider is the method of a manager, called or as a value.
var provider = regexp.MustCompile(`\.` + api.EventsMethod + `\b`)

// MakesEvents reports whether a file has signs of making recorders or broadcasters of tools/events. Code that only takes a
// recorder has nothing to change.
func MakesEvents(file string) bool {
	text := read(file)
	return provider.Match(text) || mentions(text, `"`+api.ClientEvents+`"`) && mentions(text, api.EventsMakers...)
}

// Records reports whether a file has signs of recording. A package that imports no recorder may declare an interface for it.
func Records(file string) bool { return mentions(read(file), "Event(", "Eventf(") }

// CallsRecorder reports whether a file that is no test has signs of calls that record.
func CallsRecorder(file string) bool {
	return !IsTest(file) && mentions(read(file), ".Event(", ".Eventf(", ".AnnotatedEventf(")
}

// read returns the text of a file, or nothing if it cannot be read.
func read(file string) []byte {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	return text
}

func mentions(text []byte, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return bytes.Contains(text, []byte(word)) })
}
