// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lint

const actionDoc = `check that actions are constants the API server accepts

The action says what the component did or tried to do ("Scale"). It is one of
the few fields that make occurrences one series (KEP-383), so there should be
few of them, and a person should find each in the code. The API server refuses
an event through events.k8s.io/v1 whose action is empty or over 128 bytes;
client-go then loses it.

An action is reported if it may be empty, is too long, or comes from where this
package does not tell its values. A parameter that is handed on is judged at
the calls; a type of its own over string is taken for a fixed set.

To fix it, write a constant, or choose one in a switch.`

func (l *lint) action() {
	for _, arg := range l.args(action) {
		t := l.textOf(arg)
		for _, c := range t.constants {
			switch {
			case c == "":
				l.reportf(arg, "the action is empty, and the API server refuses the event: "+
					"name what was done or tried, such as \"Scale\"")
			case size(c) > maxName:
				l.reportf(arg, "the action has %d bytes, and the API server refuses more than %d: shorten it",
					size(c), maxName)
			}
		}
		if t.unknown && t.volatile == "" {
			l.reportf(arg, "the action is not a constant: write one, or choose one in a switch, "+
				"so that there are few actions and each can be found")
		}
	}
}
