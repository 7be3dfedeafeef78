// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lint

import "github.com/eventseries/eventseries/tools/eventsmigrate/internal/recording"

// volatile reports reasons and actions that differ from call to call.
func (l *lint) volatile() {
	names := map[recording.Role]string{recording.Reason: "reason", recording.Action: "action"}
	for _, part := range []recording.Role{recording.Reason, recording.Action} {
		for _, arg := range l.Args(part) {
			if why := l.TextOf(arg).Volatile; why != "" {
				l.reportf(arg, "the %s is built at run time (%s), so that every value is a series of its own: "+
					"record a constant, and put the rest into the note", names[part], why)
			}
		}
	}
}
