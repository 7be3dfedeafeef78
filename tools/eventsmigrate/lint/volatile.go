// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lint

// volatile reports reasons and actions that differ from call to call.
func (l *lint) volatile() {
	names := map[role]string{reason: "reason", action: "action"}
	for _, part := range []role{reason, action} {
		for _, arg := range l.args(part) {
			if why := l.textOf(arg).volatile; why != "" {
				l.reportf(arg, "the %s is built at run time (%s), so that every value is a series of its own: "+
					"record a constant, and put the rest into the note", names[part], why)
			}
		}
	}
}
