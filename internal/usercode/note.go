// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package usercode

import (
	"strings"
	"unicode/utf8"
)

// FormatNote returns the note. Without args it is taken verbatim, so that an error
// text passed as a format does not become %!d(MISSING); only %% becomes %, as it
// would have with client-go, and only when there is no other verb.
func FormatNote(note string, args []any) string {
	if len(args) > 0 {
		return Sprintf(note, args...)
	}
	if strings.Count(note, "%") != 2*strings.Count(note, "%%") {
		return note
	}
	return strings.ReplaceAll(note, "%%", "%")
}

// CutRunes returns at most limit bytes of s without splitting a rune.
func CutRunes(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for i := limit; i > limit-utf8.UTFMax && i >= 0; i-- {
		if utf8.RuneStart(s[i]) {
			return s[:i]
		}
	}
	return s[:limit] // not UTF-8 here
}
