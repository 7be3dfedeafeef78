// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lint

import "go/ast"

func (l *lint) volatile() {
	for _, arg := range l.args(reason) {
		l.stable(arg, "reason")
	}
	for _, arg := range l.args(action) {
		l.stable(arg, "action")
	}
}

// stable reports a reason or action that differs from call to call.
func (l *lint) stable(arg ast.Expr, name string) {
	if why := l.textOf(arg).volatile; why != "" {
		l.reportf(arg, "the %s is built at run time (%s), so that every value is a series of its own: "+
			"record a constant, and put the rest into the note", name, why)
	}
}
