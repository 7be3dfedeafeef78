// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lint

import "go/ast"

func (l *lint) volatile() {
	for r, arg := range l.args(reason) {
		l.stable(r, arg, "reason")
	}
	for r, arg := range l.args(action) {
		l.stable(r, arg, "action")
	}
}

// stable reports a reason or action that differs from call to call.
func (l *lint) stable(r *recording, arg ast.Expr, name string) {
	if why := l.textOf(arg).volatile; why != "" {
		l.reportf(arg, "the %s is built at run time (%s), so that every value is a series of its own: "+
			"record a constant, and put the rest into the note", name, why)
	} else if l.isNote(r, arg) {
		l.reportf(arg, "the %s is the text of the note as well, so that every value is a series of its own: "+
			"record a constant", name)
	}
}

// isNote reports whether an argument is the whole note.
func (l *lint) isNote(r *recording, arg ast.Expr) bool {
	text := r.arg(note)
	if args := r.noteArgs(); len(args) == 1 {
		text = args[0]
	}
	id, ok := arg.(*ast.Ident)
	same, isIdent := text.(*ast.Ident)
	return ok && isIdent && l.info.Types[arg].Value == nil && l.info.Uses[id] == l.info.Uses[same]
}
