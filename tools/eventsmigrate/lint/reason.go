// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/actions"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/recording"
)

// Limits of the API server in bytes, for events of the new API.
const (
	maxName = 128
	maxNote = 1024
)

func (l *lint) reason() {
	for _, arg := range l.Args(recording.Reason) {
		for _, c := range l.TextOf(arg).Constants {
			switch {
			case c == "":
				l.reportf(arg, "the reason is empty, and the API server refuses the event: "+
					"say in one UpperCamelCase word why it is recorded")
			case len(c) > maxName:
				l.reportf(arg, "the reason has %d bytes, and the API server refuses more than %d: shorten it, "+
					"and put the rest into the note", len(c), maxName)
			case !actions.IsUpperCamelCase(c):
				l.reportf(arg, "the reason %q is not UpperCamelCase, which alerts and tools expect: rename it", c)
			}
		}
	}
}
