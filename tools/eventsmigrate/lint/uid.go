// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"go/ast"
	"go/token"
	"go/types"
)

const uidDoc = `check that events are recorded about objects that exist

kubectl describe and selectors find the Events of an object by its UID, which
the API server gives it when it is created. An event about an object that was
never created, or whose creation just failed, has none: nobody who looks at an
object sees it, and series of objects with one name become one.

Reported is an event about a variable that the function set to a composite
literal without a UID, if nothing since then can have created it, or creating it
has just returned an error.

To fix it, record after it is created, or about the object that it is for.`

func (l *lint) uid() {
	for r, arg := range l.args(regarding) {
		id := object(arg)
		if v, ok := l.info.Uses[id].(*types.Var); ok && v.Kind() == types.LocalVar {
			if made, uncreated := l.uncreated(r, v); uncreated {
				l.reportf(arg, "%s has no UID here: line %d makes it, and it is not created yet; "+
					"kubectl describe finds events by UID, so record after it is created, or about its owner",
					id.Name, l.Fset.Position(made).Line)
			}
		}
	}
}

// object returns the variable in v or &v.
func object(expr ast.Expr) *ast.Ident {
	if address, ok := expr.(*ast.UnaryExpr); ok && address.Op == token.AND {
		expr = address.X
	}
	id, _ := expr.(*ast.Ident)
	return id
}

// uncreated reports whether the object in v is certainly not created where r
// records about it, and where v was set. It looks at uses in their textual order.
func (l *lint) uncreated(r *recording, v *types.Var) (made token.Pos, uncreated bool) {
	for decl := range r.cursor.Enclosing((*ast.FuncDecl)(nil)) {
		for use := range decl.Preorder((*ast.Ident)(nil)) {
			id := use.Node().(*ast.Ident)
			switch {
			case l.info.ObjectOf(id) != v:
			case id.Pos() > r.call.Pos():
				return made, uncreated
			case l.setsNewObject(use):
				made, uncreated = id.Pos(), runsOnce(use, r.cursor)
			default:
				uncreated = uncreated && l.keepsUncreated(use, r)
			}
		}
	}
	return made, uncreated
}
