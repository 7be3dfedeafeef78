// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/actions"
)

func (l *lint) action() {
	for r, arg := range l.args(action) {
		t := l.textOf(arg)
		for _, c := range t.constants {
			switch {
			case c == "":
				l.reportf(arg, "the action is empty, and the API server refuses the event: "+
					"name what was done or tried, such as \"Scale\"")
			case len(c) > maxName:
				l.reportf(arg, "the action has %d bytes, and the API server refuses more than %d: shorten it",
					len(c), maxName)
			case actions.SaysNothing(c) && isNamedBy(r, c):
				l.reportf(arg, "the action is the name of the function around it, and tells nothing: "+
					"name what was done or tried, such as \"Scale\"")
			}
		}
		if t.unknown && t.volatile == "" {
			l.reportf(arg, "the action is not a constant: write one, or choose one in a switch, "+
				"so that there are few actions and each can be found")
		}
		l.repeated(r, arg, t)
	}
}

// isNamedBy reports whether the name of the function around a recording begins with an action.
func isNamedBy(r *recording, action string) bool {
	decl := enclosingFunc(r.cursor)
	return decl != nil && len(decl.Name.Name) >= len(action) && strings.EqualFold(decl.Name.Name[:len(action)], action)
}

// repeated reports an action that repeats a reason that tells another one.
func (l *lint) repeated(r *recording, arg ast.Expr, t text) {
	why := l.textOf(r.arg(reason))
	if !t.known() || !why.known() || len(t.constants) != 1 || len(why.constants) != 1 || t.constants[0] != why.constants[0] {
		return
	}
	if known := actions.Told(why.constants[0]); len(known) > 0 && !slices.Contains(known, why.constants[0]) {
		l.reportf(arg, "the action repeats the reason %s, and tells nothing: name what was done or tried, such as \"%s\"",
			why.constants[0], strings.Join(known, `" or "`))
	}
}
