// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"regexp"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/recording"
)

// verbs matches what a format replaces. %% stays one byte.
var verbs = regexp.MustCompile(`%[-+# 0]*(\[\d+\])?(\d+|\*)?(\.(\[\d+\])?(\d+|\*)?)?(\[\d+\])?[a-zA-Z]|%(%)`)

func (l *lint) note() {
	for r, arg := range l.Args(recording.Note) {
		for _, c := range l.TextOf(arg).Constants {
			least := ""
			if len(r.NoteArgs()) > 0 {
				c, least = verbs.ReplaceAllString(c, "$7"), "at least "
			}
			if n := len(c); n > maxNote {
				l.reportf(arg, "the note has %s%d bytes, and the API server refuses more than %d: shorten it, "+
					"and put the rest into the log or the status", least, n, maxNote)
			}
		}
	}
}
